package shell

// runOptions are those of docker run and docker create, which also stand
// behind "docker container".
const runOptions = "add-host= annotation= attach= blkio-weight-device= blkio-weight= cap-add= cap-drop= cgroup-parent= cgroupns= cidfile= cpu-count= cpu-percent= cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= cpu-shares= cpus= cpuset-cpus= cpuset-mems= detach-keys= device-cgroup-rule= device-read-bps= device-read-iops= device-write-bps= device-write-iops= device= dns-option= dns-search= dns= domainname= entrypoint= env-file= env= expose= gpus= group-add= health-cmd= health-interval= health-retries= health-start-interval= health-start-period= health-timeout= hostname= io-maxbandwidth= io-maxiops= ip6= ip= ipc= isolation= kernel-memory= label-file= label= link-local-ip= link= log-driver= log-opt= mac-address= memory-reservation= memory-swap= memory-swappiness= memory= mount= name= net= network-alias= network= oom-score-adj= pid= pids-limit= platform= publish= pull= restart= runtime= security-opt= shm-size= stop-signal= stop-timeout= storage-opt= sysctl= tmpfs= ulimit= user= userns= uts= volume-driver= volume= volumes-from= workdir="

// containerProgram is about those that run containers and manage clusters. Their
// options can't be abbreviated. Those of docker and kubectl that are listed are
// the ones with a value, from their --help, versions 28 and 1.3x.
func containerProgram(name string) (grammar, bool) {
	switch name {
	case "docker":
		return grammar{global: true, exact: true, truth: true, short: "c:H:l:", long: "config= context= host= log-level= tlscacert= tlscert= tlskey="}, true
	case "docker run",
		"docker create":
		return grammar{first: true, short: "a:c:e:h:l:m:p:u:v:w:", long: runOptions}, true
	case "docker container":
		return grammar{}, true
	case "docker container run",
		"docker container create":
		return grammar{first: true, short: "a:c:e:h:l:m:p:u:v:w:", long: runOptions}, true
	case "docker container exec":
		return grammar{first: true, short: "e:u:w:", long: "detach-keys= env-file= env= user= workdir="}, true
	case "docker buildx":
		return grammar{short: "D", long: "builder="}, true
	case "docker exec":
		return grammar{first: true, short: "e:u:w:", long: "detach-keys= env-file= env= user= workdir="}, true
	case "docker build":
		return grammar{short: "c:f:m:t:o:", long: "add-host= allow= annotation= attest= build-arg= build-context= builder= cache-from= cache-to= call= cgroup-parent= cpu-period= cpu-quota= cpu-shares= cpuset-cpus= cpuset-mems= file= iidfile= isolation= label= memory-swap= memory= metadata-file= network= no-cache-filter= output= platform= progress= provenance= sbom= secret= security-opt= shm-size= ssh= tag= target= ulimit="}, true
	case "docker rmi":
		return grammar{short: "", long: "platform="}, true
	case "docker kill":
		return grammar{short: "s:", long: "signal="}, true
	case "docker stop":
		return grammar{short: "s:t:", long: "signal= timeout="}, true
	case "docker logs":
		return grammar{short: "n:", long: "since= tail= until="}, true
	case "docker ps":
		return grammar{short: "f:n:", long: "filter= format= last="}, true
	case "docker save":
		return grammar{short: "o:", long: "output= platform="}, true
	case "docker load":
		return grammar{short: "i:", long: "input= platform="}, true
	case "docker import":
		return grammar{short: "c:m:", long: "change= message= platform="}, true
	case "docker export":
		return grammar{short: "o:", long: "output="}, true
	case "docker commit":
		return grammar{short: "a:c:m:", long: "author= change= message="}, true
	case "docker inspect":
		return grammar{short: "f:", long: "format= type="}, true
	case "docker update":
		return grammar{short: "c:m:", long: "blkio-weight= cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= cpu-shares= cpus= cpuset-cpus= cpuset-mems= memory-reservation= memory-swap= memory= pids-limit= restart="}, true
	case "docker login":
		return grammar{short: "p:u:", long: "password= username="}, true
	case "docker images":
		return grammar{short: "f:", long: "filter= format="}, true
	case "docker system prune",
		"docker volume prune",
		"docker container prune",
		"docker image prune",
		"docker network prune":
		return grammar{short: "", long: "filter="}, true
	case "docker builder prune":
		return grammar{short: "", long: "filter= keep-storage="}, true
	case "docker volume create":
		return grammar{short: "d:o:", long: "availability= driver= group= label= limit-bytes= opt= required-bytes= scope= secret= sharing= topology-preferred= topology-required= type="}, true
	case "docker network create":
		return grammar{short: "d:o:", long: "aux-address= config-from= driver= gateway= ip-range= ipam-driver= ipam-opt= label= opt= scope= subnet="}, true
	case "docker service create":
		return grammar{short: "e:l:p:u:w:", long: "cap-add= cap-drop= config= constraint= container-label= credential-spec= dns-option= dns-search= dns= endpoint-mode= entrypoint= env-file= env= generic-resource= group= health-cmd= health-interval= health-retries= health-start-interval= health-start-period= health-timeout= host= hostname= isolation= label= limit-cpu= limit-memory= limit-pids= log-driver= log-opt= max-concurrent= mode= mount= name= network= oom-score-adj= placement-pref= publish= replicas-max-per-node= replicas= reserve-cpu= reserve-memory= restart-condition= restart-delay= restart-max-attempts= restart-window= rollback-delay= rollback-failure-action= rollback-max-failure-ratio= rollback-monitor= rollback-order= rollback-parallelism= secret= stop-grace-period= stop-signal= sysctl= ulimit= update-delay= update-failure-action= update-max-failure-ratio= update-monitor= update-order= update-parallelism= user= workdir="}, true
	case "docker stack deploy":
		return grammar{short: "c:", long: "compose-file= resolve-image="}, true
	case "docker system", "docker volume", "docker image", "docker network", "docker builder", "docker service", "docker stack":
		return grammar{}, true
	case "docker compose":
		return grammar{global: true, short: "f:p:", long: "file= project-name= profile= env-file= project-directory= parallel= ansi= progress="}, true
	case "docker compose down":
		return grammar{short: "t:", long: "rmi= timeout="}, true
	case "docker compose up":
		return grammar{short: "t:", long: "abort-on-container-exit exit-code-from= scale= timeout= wait-timeout= attach= no-attach= pull="}, true
	case "docker compose exec":
		return grammar{first: true, short: "e:u:w:", long: "env= user= workdir= index="}, true
	case "docker compose run":
		return grammar{first: true, short: "e:l:u:v:w:p:", long: "entrypoint= env= env-from-file= label= name= publish= pull= user= volume= workdir= cap-add= cap-drop="}, true
	case "docker compose logs":
		return grammar{short: "n:", long: "since= tail= until= index="}, true
	case "docker compose stop", "docker compose restart":
		return grammar{short: "t:", long: "timeout="}, true
	case "docker-compose":
		return grammar{global: true, exact: true, truth: true, short: "f:p:H:c:", long: "file= project-name= profile= env-file= project-directory= host= context= log-level= parallel= ansi= progress="}, true
	case "docker-compose down":
		return grammar{short: "t:", long: "rmi= timeout="}, true
	case "docker-compose up":
		return grammar{short: "t:", long: "exit-code-from= scale= timeout="}, true
	case "docker-compose logs":
		return grammar{long: "tail="}, true
	case "docker-compose stop", "docker-compose restart":
		return grammar{short: "t:", long: "timeout="}, true
	case "docker-compose exec":
		return grammar{first: true, short: "e:u:w:", long: "env= user= workdir= index="}, true
	case "docker-compose run":
		return grammar{first: true, short: "e:l:u:v:w:p:", long: "entrypoint= env= label= name= publish= user= volume= workdir="}, true
	case "nerdctl":
		return grammar{global: true, exact: true, truth: true, short: "a:H:n:", long: "address= host= namespace= snapshotter= storage-driver= cni-path= cni-netconfpath= data-root= cgroup-manager= hosts-dir= host-gateway-ip= bridge-ip= userns-remap="}, true
	case "podman":
		return grammar{global: true, exact: true, truth: true, short: "c:H:", long: "connection= host= identity= log-level= root= runroot= url= storage-driver= storage-opt= cgroup-manager= conmon= config= context= hooks-dir= module= namespace= network-cmd-path= network-config-dir= out= runtime= runtime-flag= ssh= tmpdir= volumepath= events-backend= imagestore="}, true
	case "podman run":
		return grammar{first: true, short: "a:c:e:h:l:m:p:u:v:w:", long: runOptions + " arch= authfile= blkio-weight= cgroup-conf= cgroups= chrootdirs= conmon-pidfile= creds= decryption-key= gidmap= group-entry= health-on-failure= hostuser= image-volume= init-path= log-opt= os= passwd-entry= personality= pidfile= pod= pod-id-file= preserve-fd= preserve-fds= rdt-class= requires= retry= retry-delay= sdnotify= seccomp-policy= secret= shm-size-systemd= subgidname= subuidname= systemd= timeout= tz= uidmap= umask= unsetenv= variant="}, true
	case "podman exec":
		return grammar{first: true, short: "e:u:w:", long: "detach-keys= env= env-file= preserve-fd= preserve-fds= user= workdir="}, true
	case "podman build":
		return grammar{short: "c:f:m:t:v:", long: "add-host= annotation= arch= authfile= build-arg= build-context= cache-from= cache-to= cap-add= cap-drop= file= format= from= ignorefile= iidfile= isolation= label= memory= network= output= platform= secret= tag= target= volume="}, true
	case "kubectl":
		return grammar{exact: true, truth: true, short: "n:s:v:", // kubectl options
			long: "as= as-group= as-uid= cache-dir= certificate-authority= client-certificate= client-key= cluster= context= kubeconfig= log-flush-frequency= namespace= password= profile= profile-output= request-timeout= server= tls-server-name= token= user= username= v= vmodule= kuberc="}, true
	case "kubectl delete":
		return grammar{short: "f:k:l:o:", long: "cascade? dry-run? field-selector= filename= grace-period= kustomize= output= raw= selector= timeout="}, true
	case "kubectl apply":
		return grammar{short: "f:k:l:o:", long: "cascade? dry-run? field-manager= filename= grace-period= kustomize= output= prune-allowlist= selector= subresource= template= timeout= validate?"}, true
	case "kubectl exec":
		return grammar{short: "c:f:", long: "container= filename= pod-running-timeout="}, true
	case "kubectl get":
		return grammar{short: "L:f:k:l:o:", long: "chunk-size= field-selector= filename= kustomize= label-columns= output= raw= selector= sort-by= subresource= template="}, true
	case "kubectl create":
		return grammar{short: "f:k:l:o:", long: "dry-run? field-manager= filename= kustomize= output= raw= selector= template= validate?"}, true
	case "kubectl run":
		return grammar{short: "f:k:l:o:", long: "annotations= cascade? dry-run? env= field-manager= filename= grace-period= image-pull-policy= image= kustomize= labels= output= override-type= overrides= pod-running-timeout= port= restart= template= timeout="}, true
	case "kubectl drain":
		return grammar{short: "l:", long: "chunk-size= dry-run? grace-period= pod-selector= selector= skip-wait-for-delete-timeout= timeout="}, true
	case "kubectl scale":
		return grammar{short: "f:k:l:o:", long: "current-replicas= dry-run? filename= kustomize= output= replicas= resource-version= selector= template= timeout="}, true
	case "kubectl logs":
		return grammar{short: "c:l:", long: "container= limit-bytes= max-log-requests= pod-running-timeout= selector= since-time= since= tail="}, true
	case "kubectl patch":
		return grammar{short: "f:k:o:p:", long: "dry-run? field-manager= filename= kustomize= output= patch-file= patch= subresource= template= type="}, true
	case "kubectl replace":
		return grammar{short: "f:k:o:", long: "cascade? dry-run? field-manager= filename= grace-period= kustomize= output= raw= subresource= template= timeout= validate?"}, true
	case "kubectl cp":
		return grammar{short: "c:", long: "container= retries="}, true
	case "kubectl port-forward":
		return grammar{short: "", long: "address= pod-running-timeout="}, true
	case "kubectl debug":
		return grammar{short: "c:f:", long: "container= copy-to= custom= env= filename= image-pull-policy= image= profile= set-image= target="}, true
	case "kubectl edit":
		return grammar{short: "f:k:o:", long: "field-manager= filename= kustomize= output= subresource= template= validate?"}, true
	case "kubectl annotate",
		"kubectl label":
		return grammar{short: "f:k:l:o:", long: "dry-run? field-manager= field-selector= filename= kustomize= output= resource-version= selector= template="}, true
	case "kubectl expose":
		return grammar{short: "f:k:l:o:", long: "cluster-ip= dry-run? external-ip= field-manager= filename= kustomize= labels= load-balancer-ip= name= output= override-type= overrides= port= protocol= selector= session-affinity= target-port= template= type="}, true
	case "kubectl autoscale":
		return grammar{short: "f:k:o:", long: "cpu-percent= dry-run? field-manager= filename= kustomize= max= min= name= output= template="}, true
	case "kubectl taint":
		return grammar{short: "l:o:", long: "dry-run? field-manager= output= selector= template= validate?"}, true
	case "kubectl cordon":
		return grammar{short: "l:", long: "dry-run? selector="}, true
	case "kubectl describe":
		return grammar{short: "f:k:l:", long: "chunk-size= filename= kustomize= selector="}, true
	case "kubectl wait":
		return grammar{short: "f:l:o:", long: "field-selector= filename= for= output= selector= template= timeout="}, true
	case "kubectl attach":
		return grammar{short: "c:", long: "container= pod-running-timeout="}, true
	case "kubectl rollout":
		return grammar{short: "f:k:l:", long: "filename= kustomize= selector= to-revision= revision= timeout="}, true
	case "kubectl set":
		return grammar{short: "f:k:l:o:c:e:", long: "filename= kustomize= selector= containers= env= from= keys= prefix= limits= requests= dry-run?"}, true
	case "kubectl diff":
		return grammar{short: "f:k:l:", long: "filename= kustomize= selector= concurrency= field-manager="}, true
	case "kubectl config":
		return grammar{long: "embed-certs= exec-command= exec-arg= exec-env= auth-provider= auth-provider-arg="}, true
	case "kubectl top":
		return grammar{short: "l:", long: "selector= sort-by= field-selector="}, true
	case "kubectl adm":
		return grammar{long: "chunk-size= dry-run? grace-period= pod-selector= selector= timeout= keep-tag-revisions= keep-younger-than= keep-complete= keep-failed= registry-url= to-image= to="}, true
	case "helm":
		return grammar{exact: true, truth: true, short: "n:f:o:l:",
			long: "filter= revision= offset= waiter-timeout= namespace= kube-context= kubeconfig= kube-apiserver= kube-as-user= kube-as-group= kube-ca-file= kube-tls-server-name= kube-token= burst-limit= qps= registry-config= repository-cache= repository-config= content-cache= values= set= set-string= set-file= set-json= set-literal= version= timeout= repo= username= password= ca-file= cert-file= key-file= keyring= description= post-renderer= post-renderer-args= history-max= labels= output= destination= max= cascade= server="}, true
	case "helmfile":
		return grammar{exact: true, truth: true, short: "e:f:n:l:b:", long: "environment= file= namespace= selector= chart= helm-binary= kustomize-binary= kube-context= kubeconfig= log-level= state-values-set= state-values-set-string= state-values-file= set= values= args= concurrency= output= cascade= deleteTimeout="}, true
	case "argocd":
		return grammar{exact: true, truth: true, short: "H:N:p:o:l:",
			long: "argocd-context= auth-token= client-crt= client-crt-key= config= controller-name= header= http-retry-max= kube-context= logformat= loglevel= port-forward-namespace= redis-compress= redis-haproxy-name= redis-name= repo-server-name= server= server-crt= server-name= app-namespace= propagation-policy= selector= project= revision= timeout= resource= prune-propagation-policy= output= source-position= kind= group= resource-name= namespace= patch= patch-type= parameter= values= dest-name= dest-namespace= dest-server= repo= path= sync-policy= project="}, true
	case "flux":
		return grammar{exact: true, truth: true, short: "n:",
			long: "as= as-group= as-uid= as-user-extra= cache-dir= certificate-authority= client-certificate= client-key= cluster= context= insecure-skip-tls-verify? kube-api-burst= kube-api-qps= kubeconfig= namespace= server= timeout= tls-server-name= token= user= "}, true
	case "kind":
		return grammar{exact: true, truth: true, short: "n:v:", long: "name= kubeconfig= verbosity= loglevel= config= image= nodes= retain? wait="}, true
	case "k3d":
		return grammar{exact: true, truth: true, short: "c:", long: "config="}, true
	case "k9s":
		return grammar{exact: true, truth: true, short: "A:c:l:n:r:", long: "as= as-group= certificate-authority= client-certificate= client-key= cluster= command= context= kubeconfig= logLevel= logFile= namespace= refresh= request-timeout= screen-dump-dir= splashless? token= user="}, true
	case "eksctl":
		return grammar{exact: true, truth: true, short: "C:f:n:p:r:v:", long: "color= config-file= name= profile= region= verbose= cluster= timeout= cfn-role-arn= namespace= nodes= nodes-min= nodes-max= include= exclude= parallel= max-grace-period= pod-eviction-wait-period="}, true
	case "kops":
		return grammar{exact: true, truth: true, short: "v:", long: "config= name= state= v= region= target= out= output= filename="}, true
	case "velero":
		return grammar{exact: true, truth: true, short: "n:l:o:", long: "kubeconfig= kubecontext= namespace= features= selector= from-backup= from-schedule= output= include-namespaces= exclude-namespaces= include-resources= exclude-resources= storage-location= ttl= label-columns="}, true
	case "istioctl":
		return grammar{exact: true, truth: true, short: "c:f:i:n:r:s:d:o:", long: "context= filename= istioNamespace= kubeconfig= manifests= namespace= revision= set= output= as= as-group= vklog="}, true
	case "kubeadm":
		return grammar{exact: true, truth: true, short: "v:", long: "v= rootfs= cert-dir= cri-socket= config= kubeconfig= skip-phases= ignore-preflight-errors= discovery-token-ca-cert-hash= token="}, true
	case "crictl":
		return grammar{exact: true, truth: true, short: "c:r:i:t:", long: "config= runtime-endpoint= image-endpoint= timeout= profile-cpu= profile-mem= enable-tracing? tracing-endpoint= tracing-sampling-rate-per-million="}, true
	case "ctr":
		return grammar{exact: true, truth: true, short: "a:n:", long: "address= timeout= connect-timeout= namespace= snapshotter= signal= exec-id="}, true
	case "minikube":
		return grammar{exact: true, truth: true, short: "p:", long: "profile= driver= memory= cpus= disk-size= kubernetes-version= bootstrapper= user= v= alsologtostderr? addons= container-runtime= nodes= node="}, true
	}
	return grammar{}, false
}
