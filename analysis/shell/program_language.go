package shell

// languageProgram is about those that run programs of other languages. What is
// behind the name of a script is the script's.
func languageProgram(name string) (grammar, bool) {
	switch name {
	case "python3":
		return grammar{first: true, short: "c:m:W:X:", long: "check-hash-based-pycs="}, true
	case "node":
		return grammar{first: true, short: "e:p:r:C:", // node --help
			long: "eval= print= require= import= conditions= loader= experimental-loader= env-file= env-file-if-exists= input-type= title= icu-data-dir= openssl-config= redirect-warnings= trace-event-categories= trace-event-file-pattern= diagnostic-dir= cpu-prof-dir= heap-prof-dir= report-dir= report-directory= report-filename= test-reporter= test-reporter-destination= test-name-pattern= test-shard= watch-path= unhandled-rejections= stack-trace-limit="}, true
	case "deno":
		return grammar{short: "c:r::L:", long: "config= import-map= lock= log-level= seed= cert= location= ext="}, true
	case "perl":
		return grammar{first: true, short: "0::C::D::d::e:E:F:I:i::l::M:m:x::"}, true
	case "ruby":
		return grammar{first: true, short: "0::C:e:E:F:i::I:K::r:T::U::W::x::", long: "encoding= external-encoding= internal-encoding= enable= disable="}, true
	case "php":
		return grammar{first: true, short: "B:c:d:E:F:f:R:r:S:t:z:", long: "run= file= define= php-ini= process-begin= process-code= process-file= process-end= server= docroot="}, true
	case "lua":
		return grammar{first: true, short: "e:l:"}, true
	case "Rscript":
		return grammar{first: true, short: "e:"}, true
	case "java":
		return grammar{whole: true, first: true, long: "cp= classpath= class-path= p= module-path= jar= add-modules= add-exports= add-opens= m= module= d= describe-module= upgrade-module-path="}, true
	case "openssl":
		return grammar{whole: true, long: "in= out= key= inkey= keyout= CAfile= CApath= cert= config= passin= passout= days= subj= newkey= inform= outform= pass="}, true
	case "ffmpeg":
		return grammar{whole: true, long: "c:v= c:a= c:s= codec:v= codec:a= b:v= b:a= q:v= q:a= filter:v= filter:a= frames:v= frames:a= profile:v= i= f= c= ar= ac= ab= pix_fmt= vframes= threads= loglevel= v= movflags= metadata= maxrate= bufsize= tune= aspect= framerate= loop= stream_loop= safe= level= g= sseof= itsoffset= codec= t= to= ss= filter_complex= vf= af= map= b= r= s= vcodec= acodec= preset= crf="}, true
	}
	return grammar{}, false
}
