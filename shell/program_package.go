package shell

// packagePrograms are those that build and install software.
var packagePrograms = map[string]grammar{
	"cargo": {global: true, short: "C:Z:", long: "color= config= manifest-path="},
	"npm": {negates: true, short: "C:w:L:",
		long: "access= before= cache= call= depth= editor= fetch-retries= fetch-timeout= global-style globalconfig= https-proxy= include= init-author-name= init-version= install-strategy= key= location= loglevel= logs-dir= logs-max= maxsockets= message= node-options= noproxy= omit= otp= pack-destination= package= prefix= preid= provenance-file= proxy= registry= save-prefix= scope= script-shell= searchlimit= shell= tag= tag-version-prefix= umask= user-agent= userconfig= viewer= workspace="},
	"npx":  {first: true, negates: true, short: "p:c:w:", long: "package= call= workspace= cache= registry= userconfig= shell= node-arg="},
	"pnpm": {negates: true, short: "C:F:", long: "dir= filter= filter-prod= loglevel= reporter= store-dir= virtual-store-dir= workspace-concurrency= registry= tag= otp= config-dir= lockfile-dir= modules-dir="},
	"yarn": {global: true, long: "cwd= registry= cache-folder= modules-folder= global-folder= preferred-cache-folder= use-yarnrc= mutex= network-timeout= network-concurrency= proxy= https-proxy= link-folder="},
	"bun":  {short: "c:", long: "cwd= config= env-file= preload= require= define= external= registry= cache-dir="},
	"pip": {short: "r:c:e:t:i:f:C:", // pip abbreviates, as Python's optparse does
		long: "requirement= constraint= editable= target= platform= python-version= implementation= abi= root= prefix= src= upgrade-strategy= config-settings= global-option= no-binary= only-binary= progress-bar= root-user-action= report= index-url= extra-index-url= find-links= python= log= keyring-provider= proxy= retries= timeout= exists-action= trusted-host= cert= client-cert= cache-dir= use-feature= use-deprecated= dest= wheel-dir= format= path= exclude="},
	"uv":       {exact: true, short: "c:e:f:i:p:r:t:", long: "cache-dir= config-file= config-setting= constraint= default-index= directory= exclude-newer= extra= extra-index-url= find-links= fork-strategy= group= index= index-strategy= index-url= keyring-provider= link-mode= no-binary-package= no-build-package= only-group= package= prefix= prerelease= project= python= python-platform= python-version= refresh-package= reinstall-package= requirements= resolution= target= upgrade-package= with= with-editable= with-requirements= env-file= allow-insecure-host= color="},
	"poetry":   {short: "C:P:", long: "directory= project= with= without= only= extras= group="},
	"apt":      {short: "a:o:c:P:t:", long: "option= config-file= target-release= default-release= host-architecture= build-profiles= with-source= error-on= solver=", rivals: "y,yes,assume-yes assume-no"},
	"apt-get":  {short: "a:e::o:c:P:t:", long: "option= config-file= target-release= default-release= host-architecture= build-profiles= with-source= error-on=", rivals: "y,yes,assume-yes assume-no"},
	"aptitude": {short: "d:F:o:O:q::s:t:w:", long: "target-release= display-format= width= sort= user-tag="},
	"dpkg":     {long: "admindir= root= instdir= log= status-fd= path-include= path-exclude= ignore-depends="},
	"dnf":      {short: "c:d:e:R:x:", rivals: "y,assumeyes assumeno", long: "config= color= comment= disablerepo= enablerepo= repo= repoid= exclude= installroot= releasever= setopt= downloaddir= destdir= advisory= sec-severity= rpmverbosity= debuglevel= errorlevel= forcearch= disableplugin= enableplugin="},
	"yum":      {short: "c:d:e:R:x:", rivals: "y,assumeyes assumeno", long: "config= disablerepo= enablerepo= exclude= installroot= releasever= setopt= downloaddir="},
	"rpm":      {short: "D:E:r:", long: "root= dbpath= define= eval= prefix= relocate= excludepath= queryformat= qf= pipe= rcfile= macros= undefine="},
	"pacman":   {short: "b:r:", long: "dbpath= root= arch= cachedir= color= config= gpgdir= hookdir= logfile= assume-installed= ignore= ignoregroup= overwrite= print-format="},
	"apk":      {short: "p:X:t:", long: "root= repository= arch= cache-dir= cache-max-age= keys-dir= progress-fd= repositories-file= timeout= wait= virtual="},
	"zypper":   {short: "c:C:D:R:r:t:", long: "config= cache-dir= reposd-dir= root= repo= type= from="},
	"brew":     {}, "snap": {long: "channel= revision= cohort="},
	"gem":   {short: "i:n:v:s:", long: "install-dir= bindir= version= source= platform= config-file= document= trust-policy="},
	"conda": {short: "c:n:p:", long: "channel= name= prefix= file= revision= solver="},
	"make":  {short: "C:f:I:o:W:j::l::", long: "directory= file= makefile= include-dir= old-file= assume-old= what-if= assume-new= new-file= eval= jobs? load-average? max-load? output-sync? debug? shuffle?"},
	"cmake": {whole: true, long: "B= S= build= install= target= config= preset= parallel= G= P= E="},
	"ninja": {short: "C:f:j:k:l:d:t:w:"},
	"go":    {whole: true, truth: true, long: "C= o= p= run= tags= ldflags= gcflags= asmflags= mod= modfile= exec= timeout= count= cpu= parallel= bench= benchtime= coverprofile= cpuprofile= memprofile= blockprofile= mutexprofile= outputdir= overlay= pkgdir= toolexec= covermode= coverpkg= fuzz= fuzztime= list= skip= vet= f= buildmode= compiler= installsuffix="},
}
