package shell

// packageProgram is about those that build and install software.
func packageProgram(name string) (grammar, bool) {
	switch name {
	case "cargo":
		return grammar{global: true, short: "C:Z:", long: "color= config= manifest-path="}, true
	case "npm":
		return grammar{negates: true, short: "C:w:L:",
			long: "access= before= cache= call= depth= editor= fetch-retries= fetch-timeout= global-style globalconfig= https-proxy= include= init-author-name= init-version= install-strategy= key= location= loglevel= logs-dir= logs-max= maxsockets= message= node-options= noproxy= omit= otp= pack-destination= package= prefix= preid= provenance-file= proxy= registry= save-prefix= scope= script-shell= searchlimit= shell= tag= tag-version-prefix= umask= user-agent= userconfig= viewer= workspace="}, true
	case "npx":
		return grammar{first: true, negates: true, short: "p:c:w:", long: "package= call= workspace= cache= registry= userconfig= shell= node-arg="}, true
	case "pnpm":
		return grammar{negates: true, short: "C:F:", long: "dir= filter= filter-prod= loglevel= reporter= store-dir= virtual-store-dir= workspace-concurrency= registry= tag= otp= config-dir= lockfile-dir= modules-dir="}, true
	case "yarn":
		return grammar{global: true, long: "cwd= registry= cache-folder= modules-folder= global-folder= preferred-cache-folder= use-yarnrc= mutex= network-timeout= network-concurrency= proxy= https-proxy= link-folder="}, true
	case "bun":
		return grammar{short: "c:", long: "cwd= config= env-file= preload= require= define= external= registry= cache-dir="}, true
	case "pip":
		return grammar{short: "r:c:e:t:i:f:C:", // pip abbreviates, as Python's optparse does
			long: "requirement= constraint= editable= target= platform= python-version= implementation= abi= root= prefix= src= upgrade-strategy= config-settings= global-option= no-binary= only-binary= progress-bar= root-user-action= report= index-url= extra-index-url= find-links= python= log= keyring-provider= proxy= retries= timeout= exists-action= trusted-host= cert= client-cert= cache-dir= use-feature= use-deprecated= dest= wheel-dir= format= path= exclude="}, true
	case "uv":
		return grammar{exact: true, short: "c:e:f:i:p:r:t:", long: "cache-dir= config-file= config-setting= constraint= default-index= directory= exclude-newer= extra= extra-index-url= find-links= fork-strategy= group= index= index-strategy= index-url= keyring-provider= link-mode= no-binary-package= no-build-package= only-group= package= prefix= prerelease= project= python= python-platform= python-version= refresh-package= reinstall-package= requirements= resolution= target= upgrade-package= with= with-editable= with-requirements= env-file= allow-insecure-host= color="}, true
	case "poetry":
		return grammar{short: "C:P:", long: "directory= project= with= without= only= extras= group="}, true
	case "apt":
		return grammar{short: "a:o:c:P:t:", long: "option= config-file= target-release= default-release= host-architecture= build-profiles= with-source= error-on= solver=", rivals: "y,yes,assume-yes assume-no"}, true
	case "apt-get":
		return grammar{short: "a:e::o:c:P:t:", long: "option= config-file= target-release= default-release= host-architecture= build-profiles= with-source= error-on=", rivals: "y,yes,assume-yes assume-no"}, true
	case "aptitude":
		return grammar{short: "d:F:o:O:q::s:t:w:", long: "target-release= display-format= width= sort= user-tag="}, true
	case "dpkg":
		return grammar{long: "admindir= root= instdir= log= status-fd= path-include= path-exclude= ignore-depends="}, true
	case "dnf":
		return grammar{short: "c:d:e:R:x:", rivals: "y,assumeyes assumeno", long: "config= color= comment= disablerepo= enablerepo= repo= repoid= exclude= installroot= releasever= setopt= downloaddir= destdir= advisory= sec-severity= rpmverbosity= debuglevel= errorlevel= forcearch= disableplugin= enableplugin="}, true
	case "yum":
		return grammar{short: "c:d:e:R:x:", rivals: "y,assumeyes assumeno", long: "config= disablerepo= enablerepo= exclude= installroot= releasever= setopt= downloaddir="}, true
	case "rpm":
		return grammar{short: "D:E:r:", long: "root= dbpath= define= eval= prefix= relocate= excludepath= queryformat= qf= pipe= rcfile= macros= undefine="}, true
	case "pacman":
		return grammar{short: "b:r:", long: "dbpath= root= arch= cachedir= color= config= gpgdir= hookdir= logfile= assume-installed= ignore= ignoregroup= overwrite= print-format="}, true
	case "apk":
		return grammar{short: "p:X:t:", long: "root= repository= arch= cache-dir= cache-max-age= keys-dir= progress-fd= repositories-file= timeout= wait= virtual="}, true
	case "zypper":
		return grammar{short: "c:C:D:R:r:t:", long: "config= cache-dir= reposd-dir= root= repo= type= from="}, true
	case "brew":
		return grammar{}, true
	case "snap":
		return grammar{long: "channel= revision= cohort="}, true
	case "gem":
		return grammar{short: "i:n:v:s:", long: "install-dir= bindir= version= source= platform= config-file= document= trust-policy="}, true
	case "conda":
		return grammar{short: "c:n:p:", long: "channel= name= prefix= file= revision= solver="}, true
	case "make":
		return grammar{short: "C:f:I:o:W:j::l::", long: "directory= file= makefile= include-dir= old-file= assume-old= what-if= assume-new= new-file= eval= jobs? load-average? max-load? output-sync? debug? shuffle?"}, true
	case "cmake":
		return grammar{whole: true, long: "B= S= build= install= target= config= preset= parallel= G= P= E="}, true
	case "ninja":
		return grammar{short: "C:f:j:k:l:d:t:w:"}, true
	case "go":
		return grammar{whole: true, truth: true, long: "C= o= p= run= tags= ldflags= gcflags= asmflags= mod= modfile= exec= timeout= count= cpu= parallel= bench= benchtime= coverprofile= cpuprofile= memprofile= blockprofile= mutexprofile= outputdir= overlay= pkgdir= toolexec= covermode= coverpkg= fuzz= fuzztime= list= skip= vet= f= buildmode= compiler= installsuffix="}, true
	}
	return grammar{}, false
}
