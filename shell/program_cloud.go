package shell

// cloudPrograms are those that manage what others host: machines, storage,
// secrets, databases and repositories. Most have hundreds of options, nearly all
// of which take a value: what is listed behind "open" are those that don't.
var cloudPrograms = map[string]grammar{
	"aws": {open: true, negates: true,
		long: "region= profile= output= endpoint-url= query= color= ca-bundle= cli-read-timeout= cli-connect-timeout= cli-binary-format= debug verify-ssl paginate sign-request cli-pager cli-auto-prompt dry-run dryrun force recursive delete quiet follow-symlinks exact-timestamps size-only skip-final-snapshot force-delete-without-recovery recover version help"},
	"gcloud": {open: true, negates: true, short: "q",
		long: "project= account= configuration= format= verbosity= zone= region= billing-project= impersonate-service-account= flags-file= filter= limit= quiet async help user-output-enabled log-http global recursive force dry-run all delete-unmatched-destination-objects delete-tags version"},
	"gsutil": {short: "h:i:o:u:mqDdrnRaf"},
	"bq":     {whole: true, truth: true, long: "project_id= location= dataset_id= format= job_id= api= bigqueryrc= max_rows= r f t d force recursive table dataset model n="},
	"az": {open: true, short: "g:n:o:yhc:s:l:f:i:d:p:",
		long: "subscription= output= query= resource-group= name= yes no-wait debug verbose only-show-errors help dryrun force force-deletion recursive"},
	"azcopy": {open: true, truth: true, long: "recursive dry-run help output-type= log-level= output-level= cap-mbps= trusted-microsoft-suffixes="},

	"doctl":    {exact: true, truth: true, short: "u:c:t:o:fhv", long: "api-url= access-token= config= context= http-retry-max= http-retry-wait-max= http-retry-wait-min= interactive output= force help trace verbose format= tag-name="},
	"flyctl":   {exact: true, truth: true, short: "t:a:c:r:o:g:yhjV", long: "access-token= app= config= region= org= process-group= image="},
	"heroku":   {short: "a:r:c:t:n:s:p:", long: "app= remote= confirm= team= space= pipeline= num= region= size="},
	"vercel":   {exact: true, short: "A:Q:t:S:T:e:b:m:yhdfv", long: "local-config= global-config= token= scope= team= cwd= env= build-env= meta= target= regions= archive= git-branch="},
	"netlify":  {exact: true, short: "s:a:d:m:f:n:", long: "site= auth= filter= dir= message= context= functions= alias= http-proxy= certificate-file= name= scope="},
	"railway":  {exact: true, short: "s:e:p:", long: "service= environment= project="},
	"supabase": {exact: true, truth: true, short: "o:p:s:", long: "workdir= project-ref= network-id= output= profile= db-url= password= schema= linked local debug experimental yes version="},
	"wrangler": {exact: true, short: "c:e:", long: "config= env= name= cwd= env-file= remote local preview binding= namespace-id= database="},
	"firebase": {exact: true, short: "P:c:", long: "project= account= token= config= only= except= message= site= database="},
	"mc":       {exact: true, truth: true, short: "C:", long: "config-dir= resolve= limit-upload= limit-download= older-than= newer-than= version-id= vid= enc-c= rewind= attr= region= tags= storage-class= exclude= json quiet no-color debug insecure"},
	"s3cmd":    {short: "c:rfnpPvqdeH", long: "config= access_key= secret_key= region= host= host-bucket= exclude= include= rexclude= rinclude= acl-grant= acl-revoke= add-header= mime-type= storage-class= expiry-date= expiry-days="},
	"s5cmd":    {whole: true, truth: true, long: "endpoint-url= numworkers= r= retry-count= log= profile= credentials-file= request-payer= exclude= include= json stat dry-run no-sign-request no-verify-ssl"},
	"rclone":   {open: true, exact: true, short: "vnqiPu", long: "config= filter= include= exclude= transfers= checkers= max-delete= backup-dir= dry-run interactive verbose quiet progress update checksum size-only fast-list delete-excluded rmdirs"},

	"vault":   {whole: true, truth: true, long: "address= agent-address= ca-cert= ca-path= client-cert= client-key= namespace= ns= tls-server-name= wrap-ttl= mfa= unlock-key= header= format= field= mount= versions= mode= accessor= prefix= path= policy= ttl= version="},
	"doppler": {exact: true, truth: true, short: "p:c:t:e:y", long: "project= config= token= config-dir= configuration= api-host= dashboard-host= scope= env= timeout= attempts= format= name-transformer= fallback= visibility= type="},
	"op":      {exact: true, truth: true, long: "account= cache= config= encoding= format= session= vault= fields= tags= categories= category= title= template= out-file= in-file= file-mode= user= group= name= expires-in= server="},

	"redis-cli":  {first: true, short: "a:d:D:h:i:n:p:r:s:t:u:x", long: "user= pass= cacert= cacertdir= cert= key= sni= tls-ciphers= tls-ciphersuites= eval= pattern= quoted-pattern= rdb= functions-rdb="},
	"mongosh":    {exact: true, short: "f:u:p:", long: "eval= host= port= username= password= authenticationDatabase= authenticationMechanism= file= db= tlsCAFile= tlsCertificateKeyFile= apiVersion= awsAccessKeyId= gssapiServiceName= cryptSharedLibPath= json? sslCAFile= sslPEMKeyFile="},
	"mysqladmin": {short: "h:P:S:u:c:i:w::p::O:", long: "host= port= socket= user= password? count= sleep= wait? connect-timeout= shutdown-timeout= defaults-file= defaults-extra-file= defaults-group-suffix= default-character-set= protocol= ssl-mode= ssl-ca= ssl-cert= ssl-key= login-path= bind-address= plugin-dir="},
	"dropdb":     {closed: true, short: "eifh:p:U:wWV?", long: "echo interactive force if-exists host= port= username= no-password password maintenance-db= version help"},
	"dropuser":   {closed: true, short: "eih:p:U:wWV?", long: "echo interactive if-exists host= port= username= no-password password version help"},
	"pg_dump":    {short: "f:F:j:Z:abBcCE:n:N:Oe:st:T:xd:h:p:U:wWvR", long: "file= format= jobs= compress= schema= exclude-schema= table= exclude-table= exclude-table-data= extension= encoding= superuser= dbname= host= port= username= role= section= snapshot= extra-float-digits= filter= lock-wait-timeout= data-only blobs clean create if-exists inserts column-inserts schema-only no-owner no-privileges no-password password verbose"},
	"pg_dumpall": {short: "f:acE:gl:d:OrsS:tvxh:p:U:wW", long: "file= encoding= superuser= exclude-database= dbname= database= host= port= username= role= clean globals-only roles-only tablespaces-only schema-only data-only"},
	"pg_restore": {short: "d:f:F:j:L:n:N:P:S:t:T:I:h:p:U:acClOsxe1vwW", long: "dbname= file= format= jobs= use-list= schema= exclude-schema= function= superuser= table= trigger= index= host= port= username= role= section= list clean create if-exists data-only exit-on-error schema-only single-transaction"},
	"pg_ctl":     {short: "D:l:m:o:p:t:U:N:P:S:e:swWcV", long: "pgdata= log= mode= options= timeout= silent wait no-wait core-files"},
	"mysqldump":  {short: "u:p::h:P:S:r:w:BA", long: "user= password? host= port= socket= result-file= where= ignore-table= default-character-set= defaults-file= defaults-extra-file= login-path= ssl-mode= single-transaction databases all-databases add-drop-database add-drop-table no-data"},
	"migrate":    {whole: true, truth: true, long: "path= database= source= prefetch= lock-timeout= ext= dir="},
	"etcdctl":    {exact: true, truth: true, short: "w:", long: "cacert= cert= key= endpoints= command-timeout= dial-timeout= user= password= discovery-srv= insecure-transport keepalive-time= keepalive-timeout= write-out="},

	"gh": {exact: true, truth: true, short: "R:X:f:F:H:q:t:b:B:l:a:m:n:",
		long: "repo= hostname= method= field= raw-field= header= input= jq= template= title= body= body-file= base= label= assignee= milestone= head= reviewer= project= notes= notes-file= target= name= description= json= limit= state= search= author= branch= commit= env= org= user= app= subject= comment= reason= add-label= remove-label= add-assignee= remove-assignee= add-reviewer= remove-reviewer= add-project= remove-project= visibility= cache= preview= match-head-commit= duplicate-of="},
	"gh pr": {}, "gh pr close": {short: "c:"}, "gh issue": {}, "gh issue close": {short: "c:r:"},
	"glab": {exact: true, truth: true, short: "R:X:f:F:H:g:t:d:m:l:a:b:s:p:",
		long: "repo= method= field= raw-field= header= input= hostname= group= title= description= message= label= assignee= target-branch= source-branch= milestone= reviewer= ref= output= per-page= page="},
}
