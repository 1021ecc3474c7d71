package shell

// cloudProgram is about those that manage what others host: machines, storage,
// secrets, databases and repositories. Most have hundreds of options, nearly all
// of which take a value: what is listed behind "open" are those that don't.
func cloudProgram(name string) (grammar, bool) {
	switch name {
	case "aws":
		return grammar{open: true, negates: true,
			long: "region= profile= output= endpoint-url= query= color= ca-bundle= cli-read-timeout= cli-connect-timeout= cli-binary-format= debug verify-ssl paginate sign-request cli-pager cli-auto-prompt dry-run dryrun force recursive delete quiet follow-symlinks exact-timestamps size-only skip-final-snapshot force-delete-without-recovery recover version help"}, true
	case "gcloud":
		return grammar{open: true, negates: true, short: "q",
			long: "project= account= configuration= format= verbosity= zone= region= billing-project= impersonate-service-account= flags-file= filter= limit= quiet async help user-output-enabled log-http global recursive force dry-run all delete-unmatched-destination-objects delete-tags version"}, true
	case "gsutil":
		return grammar{short: "h:i:o:u:mqDdrnRaf"}, true
	case "bq":
		return grammar{whole: true, truth: true, long: "project_id= location= dataset_id= format= job_id= api= bigqueryrc= max_rows= r f t d force recursive table dataset model n="}, true
	case "az":
		return grammar{open: true, short: "g:n:o:yhc:s:l:f:i:d:p:",
			long: "subscription= output= query= resource-group= name= yes no-wait debug verbose only-show-errors help dryrun force force-deletion recursive"}, true
	case "azcopy":
		return grammar{open: true, truth: true, long: "recursive dry-run help output-type= log-level= output-level= cap-mbps= trusted-microsoft-suffixes="}, true
	case "doctl":
		return grammar{exact: true, truth: true, short: "u:c:t:o:fhv", long: "api-url= access-token= config= context= http-retry-max= http-retry-wait-max= http-retry-wait-min= interactive output= force help trace verbose format= tag-name="}, true
	case "flyctl":
		return grammar{exact: true, truth: true, short: "t:a:c:r:o:g:yhjV", long: "access-token= app= config= region= org= process-group= image="}, true
	case "heroku":
		return grammar{short: "a:r:c:t:n:s:p:", long: "app= remote= confirm= team= space= pipeline= num= region= size="}, true
	case "vercel":
		return grammar{exact: true, short: "A:Q:t:S:T:e:b:m:yhdfv", long: "local-config= global-config= token= scope= team= cwd= env= build-env= meta= target= regions= archive= git-branch="}, true
	case "netlify":
		return grammar{exact: true, short: "s:a:d:m:f:n:", long: "site= auth= filter= dir= message= context= functions= alias= http-proxy= certificate-file= name= scope="}, true
	case "railway":
		return grammar{exact: true, short: "s:e:p:", long: "service= environment= project="}, true
	case "supabase":
		return grammar{exact: true, truth: true, short: "o:p:s:", long: "workdir= project-ref= network-id= output= profile= db-url= password= schema= linked local debug experimental yes version="}, true
	case "wrangler":
		return grammar{exact: true, short: "c:e:", long: "config= env= name= cwd= env-file= remote local preview binding= namespace-id= database="}, true
	case "firebase":
		return grammar{exact: true, short: "P:c:", long: "project= account= token= config= only= except= message= site= database="}, true
	case "mc":
		return grammar{exact: true, truth: true, short: "C:", long: "config-dir= resolve= limit-upload= limit-download= older-than= newer-than= version-id= vid= enc-c= rewind= attr= region= tags= storage-class= exclude= json quiet no-color debug insecure"}, true
	case "s3cmd":
		return grammar{short: "c:rfnpPvqdeH", long: "config= access_key= secret_key= region= host= host-bucket= exclude= include= rexclude= rinclude= acl-grant= acl-revoke= add-header= mime-type= storage-class= expiry-date= expiry-days="}, true
	case "s5cmd":
		return grammar{whole: true, truth: true, long: "endpoint-url= numworkers= r= retry-count= log= profile= credentials-file= request-payer= exclude= include= json stat dry-run no-sign-request no-verify-ssl"}, true
	case "rclone":
		return grammar{open: true, exact: true, short: "vnqiPu", long: "config= filter= include= exclude= transfers= checkers= max-delete= backup-dir= dry-run interactive verbose quiet progress update checksum size-only fast-list delete-excluded rmdirs"}, true
	case "vault":
		return grammar{whole: true, truth: true, long: "address= agent-address= ca-cert= ca-path= client-cert= client-key= namespace= ns= tls-server-name= wrap-ttl= mfa= unlock-key= header= format= field= mount= versions= mode= accessor= prefix= path= policy= ttl= version="}, true
	case "doppler":
		return grammar{exact: true, truth: true, short: "p:c:t:e:y", long: "project= config= token= config-dir= configuration= api-host= dashboard-host= scope= env= timeout= attempts= format= name-transformer= fallback= visibility= type="}, true
	case "op":
		return grammar{exact: true, truth: true, long: "account= cache= config= encoding= format= session= vault= fields= tags= categories= category= title= template= out-file= in-file= file-mode= user= group= name= expires-in= server="}, true
	case "redis-cli":
		return grammar{first: true, short: "a:d:D:h:i:n:p:r:s:t:u:x", long: "user= pass= cacert= cacertdir= cert= key= sni= tls-ciphers= tls-ciphersuites= eval= pattern= quoted-pattern= rdb= functions-rdb="}, true
	case "mongosh":
		return grammar{exact: true, short: "f:u:p:", long: "eval= host= port= username= password= authenticationDatabase= authenticationMechanism= file= db= tlsCAFile= tlsCertificateKeyFile= apiVersion= awsAccessKeyId= gssapiServiceName= cryptSharedLibPath= json? sslCAFile= sslPEMKeyFile="}, true
	case "mysqladmin":
		return grammar{short: "h:P:S:u:c:i:w::p::O:", long: "host= port= socket= user= password? count= sleep= wait? connect-timeout= shutdown-timeout= defaults-file= defaults-extra-file= defaults-group-suffix= default-character-set= protocol= ssl-mode= ssl-ca= ssl-cert= ssl-key= login-path= bind-address= plugin-dir="}, true
	case "dropdb":
		return grammar{closed: true, short: "eifh:p:U:wWV?", long: "echo interactive force if-exists host= port= username= no-password password maintenance-db= version help"}, true
	case "dropuser":
		return grammar{closed: true, short: "eih:p:U:wWV?", long: "echo interactive if-exists host= port= username= no-password password version help"}, true
	case "pg_dump":
		return grammar{short: "f:F:j:Z:abBcCE:n:N:Oe:st:T:xd:h:p:U:wWvR", long: "file= format= jobs= compress= schema= exclude-schema= table= exclude-table= exclude-table-data= extension= encoding= superuser= dbname= host= port= username= role= section= snapshot= extra-float-digits= filter= lock-wait-timeout= data-only blobs clean create if-exists inserts column-inserts schema-only no-owner no-privileges no-password password verbose"}, true
	case "pg_dumpall":
		return grammar{short: "f:acE:gl:d:OrsS:tvxh:p:U:wW", long: "file= encoding= superuser= exclude-database= dbname= database= host= port= username= role= clean globals-only roles-only tablespaces-only schema-only data-only"}, true
	case "pg_restore":
		return grammar{short: "d:f:F:j:L:n:N:P:S:t:T:I:h:p:U:acClOsxe1vwW", long: "dbname= file= format= jobs= use-list= schema= exclude-schema= function= superuser= table= trigger= index= host= port= username= role= section= list clean create if-exists data-only exit-on-error schema-only single-transaction"}, true
	case "pg_ctl":
		return grammar{short: "D:l:m:o:p:t:U:N:P:S:e:swWcV", long: "pgdata= log= mode= options= timeout= silent wait no-wait core-files"}, true
	case "mysqldump":
		return grammar{short: "u:p::h:P:S:r:w:BA", long: "user= password? host= port= socket= result-file= where= ignore-table= default-character-set= defaults-file= defaults-extra-file= login-path= ssl-mode= single-transaction databases all-databases add-drop-database add-drop-table no-data"}, true
	case "migrate":
		return grammar{whole: true, truth: true, long: "path= database= source= prefetch= lock-timeout= ext= dir="}, true
	case "etcdctl":
		return grammar{exact: true, truth: true, short: "w:", long: "cacert= cert= key= endpoints= command-timeout= dial-timeout= user= password= discovery-srv= insecure-transport keepalive-time= keepalive-timeout= write-out="}, true
	case "gh":
		return grammar{exact: true, truth: true, short: "R:X:f:F:H:q:t:b:B:l:a:m:n:",
			long: "repo= hostname= method= field= raw-field= header= input= jq= template= title= body= body-file= base= label= assignee= milestone= head= reviewer= project= notes= notes-file= target= name= description= json= limit= state= search= author= branch= commit= env= org= user= app= subject= comment= reason= add-label= remove-label= add-assignee= remove-assignee= add-reviewer= remove-reviewer= add-project= remove-project= visibility= cache= preview= match-head-commit= duplicate-of="}, true
	case "gh pr":
		return grammar{}, true
	case "gh pr close":
		return grammar{short: "c:"}, true
	case "gh issue":
		return grammar{}, true
	case "gh issue close":
		return grammar{short: "c:r:"}, true
	case "glab":
		return grammar{exact: true, truth: true, short: "R:X:f:F:H:g:t:d:m:l:a:b:s:p:",
			long: "repo= method= field= raw-field= header= input= hostname= group= title= description= message= label= assignee= target-branch= source-branch= milestone= reviewer= ref= output= per-page= page="}, true
	}
	return grammar{}, false
}
