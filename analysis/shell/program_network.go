package shell

// networkProgram is about those that talk to other machines.
func networkProgram(name string) (grammar, bool) {
	switch name {
	case "curl":
		return grammar{closed: true, negates: true, short: "#012346A:aBb:C:c:D:d:E:e:F:fGgH:hIiJjK:kLlm:MNnO" + "o:P:pQ:qr:RSst:T:U:u:vVw:X:x:Y:y:z:Z",
			long: "abstract-unix-socket= alpn alt-svc= anyauth append aws-sigv4= basic buffer ca-native cacert= capath= cert= cert-status cert-type= ciphers= clobber compressed compressed-ssh config= connect-timeout= connect-to= continue-at= cookie= cookie-jar= create-dirs create-file-mode= crlf crlfile= curves= data= data-ascii= data-binary= data-raw= data-urlencode= delegation= digest disable disable-eprt disable-epsv disallow-username-in-url dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status doh-insecure doh-url= dump-ca-embed dump-header= ech= egd-file= engine= eprt= epsv= etag-compare= etag-save= expect100-timeout= fail fail-early fail-with-body false-start follow form= form-escape form-string= ftp-account= ftp-alternative-to-user= ftp-create-dirs ftp-method= ftp-pasv ftp-port= ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control get globoff happy-eyeballs-timeout-ms= haproxy-clientip= haproxy-protocol head header= help hostpubmd5= hostpubsha256= hsts= http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only ignore-content-length include insecure interface= ip-tos= ipfs-gateway= ipv4 ipv6 json= junk-session-cookies keepalive keepalive-cnt= keepalive-time= key= key-type= krb= libcurl= limit-rate= list-only local-port= location location-trusted login-options= mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails manual max-filesize= max-redirs= max-time= metalink mptcp negotiate netrc netrc-file= netrc-optional next noproxy= npn ntlm ntlm-wb oauth2-bearer= out-null output= output-dir= parallel parallel-immediate parallel-max= parallel-max-host= pass= path-as-is pinnedpubkey= post301 post302 post303 preproxy= progress-bar progress-meter proto= proto-default= proto-redir= proxy= proxy-anyauth proxy-basic proxy-ca-native proxy-cacert= proxy-capath= proxy-cert= proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-digest proxy-header= proxy-http2 proxy-insecure proxy-key= proxy-key-type= proxy-negotiate proxy-ntlm proxy-pass= proxy-pinnedpubkey= proxy-service-name= proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tls13-ciphers= proxy-tlsauthtype= proxy-tlspassword= proxy-tlsuser= proxy-tlsv1 proxy-user= proxy1.0= proxytunnel pubkey= quote= random-file= range= rate= raw referer= remote-header-name remote-name remote-name-all remote-time remove-on-error request= request-target= resolve= retry= retry-all-errors retry-connrefused retry-delay= retry-max-time= sasl-authzid= sasl-ir service-name= sessionid show-error sigalgs= silent skip-existing socks4= socks4a= socks5= socks5-basic socks5-gssapi socks5-gssapi-nec socks5-gssapi-service= socks5-hostname= speed-limit= speed-time= ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2 sslv3 stderr= styled-output suppress-connect-headers tcp-fastopen tcp-nodelay telnet-option= tftp-blksize= tftp-no-options time-cond= tls-earlydata tls-max= tls13-ciphers= tlsauthtype= tlspassword= tlsuser= tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace= trace-ascii= trace-config= trace-ids trace-time unix-socket= upload-file= upload-flags= url= url-query= use-ascii user= user-agent= variable= verbose version vlan-priority= write-out= xattr"}, true
	case "wget":
		return grammar{closed: true, negates: true, short: "46A:a:B:bcD:dEe:FHhI:i:KkLl:mNn:O:o:P:pQ:qR:rST:t:U:Vvw:X:x", rivals: "q,quiet v,verbose",
			long: "accept= accept-regex= adjust-extension append-output= ask-password auth-no-challenge background backup-converted backups? base= bind-address= bind-dns-address= body-data= body-file= ca-certificate= ca-directory= certificate= certificate-type= ciphers= compression= config= connect-timeout= content-disposition content-on-error continue convert-file-only convert-links crl-file= cut-dirs= debug default-page= delete-after directory-prefix= dns-servers= dns-timeout= domains= egd-file= exclude-directories= exclude-domains= execute= follow-ftp follow-tags= force-directories force-html ftp-password= ftp-user= ftps-clear-data-connection ftps-fallback-to-ftp ftps-implicit header= help hsts-file= http-password= http-user= https-only ignore-case ignore-length ignore-tags= include-directories= inet4-only inet6-only input-file= input-metalink= keep-badhash keep-session-cookies level= limit-rate= load-cookies= local-encoding= max-redirect= metalink-index= metalink-over-http method= mirror no-cache no-check-certificate no-clobber no-config no-cookies no-directories no-dns-cache no-ftps-resume-ssl no-glob no-host-directories no-hsts no-http-keep-alive no-if-modified-since no-iri no-netrc no-parent no-passive-ftp no-proxy no-remove-listing no-use-server-timestamps no-verbose no-warc-compression no-warc-digests no-warc-keep-log output-document= output-file= page-requisites password= pinnedpubkey= post-data= post-file= prefer-family= preferred-location= preserve-permissions private-key= private-key-type= progress= protocol-directories proxy-password= proxy-user= quiet quota= random-file= random-wait read-timeout= recursive referer= regex-type= reject= reject-regex= rejected-log= relative remote-encoding= report-speed= restrict-file-names= retr-symlinks retry-connrefused retry-on-host-error retry-on-http-error= save-cookies= save-headers secure-protocol= server-response show-progress span-hosts spider start-pos= strict-comments timeout= timestamping tries= trust-server-names unlink use-askpass= user= user-agent= verbose version wait= waitretry= warc-cdx warc-dedup= warc-file= warc-header= warc-max-size= warc-tempdir= xattr"}, true
	case "aria2c":
		return grammar{short: "d:i:j:k:l:m:o:s:t:x:T:S", long: "dir= out= log= input-file= split= max-connection-per-server= header= user-agent= referer= load-cookies= save-session="}, true
	case "http",
		"https":
		return httpie, true
	case "ssh":
		return grammar{closed: true, first: true, short: "46AaB:b:Cc:D:E:e:F:fGgI:i:J:KkL:l:Mm:NnO:o:P:p:Q:qR:S:sTtVvW:w:XxYy", rivals: "t T;A a;X x"}, true
	case "scp":
		return grammar{closed: true, short: "346ABCc:D:F:i:J:l:Oo:P:pqRrS:sTvX:"}, true
	case "sftp":
		return grammar{closed: true, short: "46AaB:b:Cc:D:F:fi:J:l:No:P:pqR:rS:s:vX:"}, true
	case "ssh-keygen":
		return grammar{short: "a:b:C:D:E:F:f:I:i:J:K:m:M:N:n:O:P:R:r:s:t:V:w:W:Y:z:Z:"}, true
	case "nc":
		return grammar{short: "I:i:M:m:O:P:p:q:s:T:V:W:w:X:x:e:c:"}, true
	case "ping":
		return grammar{short: "c:i:I:l:m:M:p:Q:s:S:t:T:w:W:"}, true
	case "dig":
		return grammar{plus: true, short: "b:c:f:k:p:q:t:x:y:"}, true
	case "iptables":
		return grammar{short: "A:C:D:R:I:L::S::M:F::Z::N:X::E:P:o:p:s:d:j:i:w::t:m:c:g:W::", long: "append= check= delete= insert= replace= list? list-rules? flush? zero? new-chain= delete-chain? policy= rename-chain= proto= protocol= source= src= destination= dst= in-interface= out-interface= jump= goto= match= table= set-counters= wait? modprobe= dport= sport= destination-port= source-port= dports= sports= ports= state= ctstate= comment= to-destination= to-source= to-ports= reject-with= limit= limit-burst= mac-source= icmp-type= set-mark= log-prefix= log-level= uid-owner= gid-owner= name= seconds= hitcount= tcp-flags="}, true
	case "psql":
		return grammar{short: "c:d:f:F:h:L:o:p:P:R:T:U:v:", long: "command= dbname= file= host= port= username= output= set= variable= pset= field-separator= log-file= record-separator= table-attr="}, true
	case "mysql":
		return grammar{short: "D:e:h:P:S:u:p::", long: "database= execute= host= port= socket= user= password? defaults-file= defaults-extra-file= default-character-set= init-command= protocol= tee="}, true
	case "sqlite3":
		return grammar{whole: true, long: "cmd= init= separator= newline= nullvalue= mmap= vfs="}, true
	}
	return grammar{}, false
}

var httpie = grammar{short: "jfpdcIhvb" + "o:a:A:s:P:S", long: "output= auth= auth-type= style= print= session= session-read-only= verify= proxy= cert= cert-key= timeout= max-redirects= raw= boundary= download continue json form"}
