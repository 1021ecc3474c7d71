package shell

// infrastructureProgram is about those that build up machines and take them down.
// What is listed are the options with a value, from their --help.
func infrastructureProgram(name string) (grammar, bool) {
	switch name {
	case "terraform":
		return grammar{whole: true, truth: true, // each option takes one dash or two
			long: "chdir= var= var-file= target= replace= exclude= state= state-out= backup= out= parallelism= lock-timeout= backend-config= from-module= plugin-dir= lockfile= filter= test-directory= generate-config-out= fs-mirror= net-mirror= platform= type= plan= path= config= write? diff? list? check? id= exclude-file= target-file="}, true
	case "terragrunt":
		return grammar{whole: true, truth: true,
			long: "chdir= var= var-file= target= replace= exclude= state= state-out= backup= out= parallelism= lock-timeout= backend-config= plugin-dir= filter= working-dir= terragrunt-working-dir= config= terragrunt-config= tf-path= terragrunt-tfpath= download-dir= terragrunt-download-dir= source= terragrunt-source= source-map= terragrunt-source-map= iam-assume-role= terragrunt-iam-role= log-level= terragrunt-log-level= log-format= queue-include-dir= terragrunt-include-dir= queue-exclude-dir= terragrunt-exclude-dir= terragrunt-parallelism= units-that-include= terragrunt-modules-that-include= inputs-debug? experiment= feature= provider-cache-dir="}, true
	case "packer":
		return grammar{whole: true, truth: true, long: "var= var-file= only= except= on-error= parallel-builds= machine-readable? color? timestamp-ui?"}, true
	case "pulumi":
		return grammar{exact: true, truth: true, short: "C:s:m:t:p:v:c:",
			long: "cwd= stack= message= target= target-replace= replace= exclude= parallel= color= profiling= tracing= verbose= config= config-file= config-path= policy-pack= policy-pack-config= exec-kind= exec-agent= client= plaintext= refresh? diff? suspend-execution? run-program? memprofilerate= otel-traces= template= name= dir= description= secrets-provider= import-file= export-file= file= version= copy-config-from= output= shell= property= attach-debugger?"}, true
	case "cdk":
		return grammar{short: "a:b:c:o:p:e", // yargs
			long: "app= build= context= plugin= profile= proxy= ca-bundle-path= role-arn= output= notification-arns= parameters= tags= change-set-name= require-approval= concurrency= toolkit-stack-name= toolkit-bucket-name= progress= deployment-method= method= hotswap-ecs-minimum-healthy-percent= template= strict? region= language= resource-mapping= outputs-file= asset-parallelism? import-existing-resources? trust= cloudformation-execution-policies= bootstrap-bucket-name= bootstrap-kms-key-id= qualifier= action= type= rollback-buffer-days= created-buffer-days= orphan= unstable="}, true
	case "cdktf":
		return grammar{short: "a:o:l:", long: "app= output= log-level= parallelism= terraform-parallelism= providers= project-description= project-name= var= var-file= refresh-only?"}, true
	case "ansible":
		return grammar{short: "a:B:c:e:f:i:l:M:m:P:t:T:u:",
			long: "args= background= become-method= become-user= become-password-file= become-pass-file= connection= connection-password-file= conn-pass-file= extra-vars= forks= inventory= inventory-file= limit= module-name= module-path= playbook-dir= poll= private-key= key-file= scp-extra-args= sftp-extra-args= ssh-common-args= ssh-extra-args= task-timeout= timeout= tree= user= vault-id= vault-password-file= vault-pass-file="}, true
	case "ansible-playbook":
		return grammar{short: "c:e:f:i:l:M:t:T:u:",
			long: "become-method= become-user= become-password-file= become-pass-file= connection= connection-password-file= conn-pass-file= extra-vars= forks= inventory= inventory-file= limit= module-path= private-key= key-file= scp-extra-args= sftp-extra-args= skip-tags= ssh-common-args= ssh-extra-args= start-at-task= tags= timeout= user= vault-id= vault-password-file= vault-pass-file="}, true
	case "vagrant":
		return grammar{long: "provider= provision-with= name= box-version= machine-readable? color? install-provider? destroy-on-error? parallel? snapshot= base= output= vagrantfile="}, true
	case "nomad":
		return grammar{whole: true, truth: true, long: "address= region= namespace= ca-cert= ca-path= client-cert= client-key= tls-server-name= token= deadline= message= node-pool= type= t="}, true
	case "consul":
		return grammar{whole: true, truth: true, long: "http-addr= token= token-file= datacenter= namespace= partition= ca-file= ca-path= client-cert= client-key= tls-server-name= cas? modify-index= id= name= service= reason= rpc-addr="}, true
	case "salt":
		return grammar{short: "t:T:c:l:b:E", long: "timeout= config-dir= log-level= log-file= out= output= batch-size= args-separator="}, true
	}
	return grammar{}, false
}
