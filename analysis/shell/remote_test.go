package shell

import "testing"

// remoteCases are commands that run on other machines and in containers.
var remoteCases = []struct{ text, want string }{
	{"parallel echo {=s/a/b/=} ::: x", "parallel echo {=s/a/b/=} ::: x; parallel > echo {}*"},
	{"parallel -q rm ::: ~ 'a b'", `parallel -q rm ::: ~ "a b"; parallel > rm ~; parallel > rm "a b"`},
	{"parallel rm -rf ::: ~/x", "parallel rm -rf ::: ~/x; parallel > rm -rf ~/x"},
	{"ssh host rm -rf /x", "ssh host rm -rf /x; ssh > rm -rf /x"},
	{"ssh host", "ssh host"},
	{"ssh -N h rm x", "ssh -N h rm x"},
	{"ssh -s h sftp", "ssh -s h sftp"},
	{"ssh -V", "ssh -V"},
	{"ssh -p 22 -i k u@h 'rm x; ls'", `ssh -p 22 -i k u@h "rm x; ls"; ssh > rm x; ssh > ls`},
	{"ssh h -t sudo rm x", "ssh h -t sudo rm x; ssh > sudo rm x; ssh > sudo > rm x"},
	{"ssh -N -L 1:h:2 h", "ssh -N -L 1:h:2 h"},
	{"ssh -W a:1 h", "ssh -W a:1 h"},
	{"ssh -o ProxyCommand='rm x' h", `ssh -o "ProxyCommand=rm x" h; ssh -o ProxyCommand > rm x`},
	{"ssh -voProxyCommand='rm x' h", `ssh "-voProxyCommand=rm x" h; ssh -o ProxyCommand > rm x`},
	{`ssh -o "ProxyCommand none" h`, `ssh -o "ProxyCommand none" h`},
	{"ssh -o RemoteCommand='rm x' h", `ssh -o "RemoteCommand=rm x" h; ssh -o RemoteCommand > rm x`},
	{"ssh -o LocalCommand='rm x' -o PermitLocalCommand=yes h", `ssh -o "LocalCommand=rm x" -o PermitLocalCommand=yes h; ssh -o LocalCommand > rm x`},
	{`ssh "$H" rm x`, "ssh $H* rm x; ssh > rm x"},
	{"ssh $H rm x", "ssh $H* rm x; ssh > ? rm x"},
	{"ssh $H", "ssh $H*"},
	{"echo 'rm x' | ssh h", `echo "rm x" @pipe; ssh h @pipe; ssh < > rm x @pipe`},
	{"ssh h <<'X'\nrm x\nX", `ssh h <<X"rm x\n"; ssh < > rm x`},
	{"ssh-keygen -F github.com", "ssh-keygen -F github.com"},
	{"autossh -M 0 h rm x", "autossh -M 0 h rm x; autossh > rm x"},
	{"scp -S 'rm' a h:b", "scp -S rm a h:b; scp -S > rm"},
	{"scp -o ProxyCommand='rm x' a h:b", `scp -o "ProxyCommand=rm x" a h:b; scp -o ProxyCommand > rm x`},
	{"scp a h:b", "scp a h:b"},
	{"sftp h", "sftp h"},
	{"rsync -ae 'rm -rf /' s h:d", `rsync -ae "rm -rf /" s h:d; rsync -e > rm -rf /`},
	{"rsync -a -e 'ssh -p 22' s h:d", `rsync -a -e "ssh -p 22" s h:d; rsync -e > ssh -p 22`},
	{"rsync --rsh='rm x' s d", `rsync "--rsh=rm x" s d; rsync --rsh > rm x`},
	{"rsync --rsync-path='sudo rm x; rsync' s h:d", `rsync "--rsync-path=sudo rm x; rsync" s h:d; rsync --rsync-path > sudo rm x; rsync --rsync-path > sudo > rm x; rsync --rsync-path > rsync`},
	{"rsync -a --delete s d", "rsync -a --delete s d"},
	{"mosh h -- rm x", "mosh h -- rm x; mosh > rm x"},
	{"mosh --ssh='ssh -p 1' h", `mosh "--ssh=ssh -p 1" h; mosh --ssh > ssh -p 1`},
	{"mosh h rm x", "mosh h rm x; mosh > rm x"},
	{"wsl -d U -- rm x", "wsl -d U -- rm x; wsl > rm x"},
	{"wsl -e rm x", "wsl -e rm x; wsl > rm x"},
	{"wsl --list", "wsl --list"},
	{"wsl rm x", "wsl rm x; wsl > rm x"},
	{"docker run img", "docker run img"},
	{"docker run --rm -it -v /:/h alpine rm -rf /h", "docker run --rm -it -v /:/h alpine rm -rf /h; docker run > rm -rf /h"},
	{"docker run --entrypoint sh img -c 'rm x'", `docker run --entrypoint sh img -c "rm x"; docker run > sh -c "rm x"; docker run > sh -c > rm x`},
	{"docker run --entrypoint=rm img", "docker run --entrypoint=rm img; docker run > rm"},
	{"docker run -e A=1 -w /app img rm x", "docker run -e A=1 -w /app img rm x; docker run > A=1 rm x"},
	{"docker exec -it c bash -c 'rm x'", `docker exec -it c bash -c "rm x"; docker exec > bash -c "rm x"; docker exec > bash -c > rm x`},
	{"docker exec -w /x -u 0 c rm y", "docker exec -w /x -u 0 c rm y; docker exec > rm y"},
	{"docker --context x exec c rm y", "docker --context x exec c rm y; docker exec > rm y"},
	{"docker container exec c rm x", "docker container exec c rm x; docker container exec > rm x"},
	{"docker ps -a", "docker ps -a"},
	{"docker rm -f c", "docker rm -f c"},
	{"docker compose exec -T web rm x", "docker compose exec -T web rm x; docker compose exec > rm x"},
	{"docker compose -f a.yml run --rm web rm x", "docker compose -f a.yml run --rm web rm x; docker compose run > rm x"},
	{"docker-compose exec web rm x", "docker-compose exec web rm x; docker-compose exec > rm x"},
	{"docker compose up -d", "docker compose up -d"},
	{"podman run --rm -it img rm x", "podman run --rm -it img rm x; podman run > rm x"},
	{"docker exec $C rm x", "docker exec $C* rm x; docker exec > ? rm x; docker exec > rm x"},
	{`docker exec "$C" rm x`, "docker exec $C* rm x; docker exec > rm x"},
	{"docker run --bogus 1 img rm x", "docker run --bogus 1 img rm x; docker run > ? 1 img rm x"},
	{"docker build .", "docker build ."},
	{"docker $OPTS ps", "docker $OPTS* ps"},
	{"docker $OPTS exec c rm x", "docker $OPTS* exec c rm x; docker exec > ? c rm x"},
	{"az aks command invoke -g g -n a --command 'rm x'", `az aks command invoke -g g -n a --command "rm x"; az aks command invoke --command > rm x`},
	{"bolt command run -t all 'rm x'", `bolt command run -t all "rm x"; bolt command run > rm x`},
	{"kamal app exec 'rm x'", `kamal app exec "rm x"; kamal app exec > rm x`},
	{"knife ssh 'name:*' 'rm x'", `knife ssh "name:*" "rm x"; knife ssh > rm x`},
	{"kubectl exec pod -- rm x", "kubectl exec pod -- rm x; kubectl exec > rm x"},
	{"kubectl exec -it pod -c x -n y -- sh -c 'rm x'", `kubectl exec -it pod -c x -n y -- sh -c "rm x"; kubectl exec > sh -c "rm x"; kubectl exec > sh -c > rm x`},
	{"kubectl -n y exec pod rm x", "kubectl -n y exec pod rm x; kubectl exec > rm x"},
	{"kubectl exec deploy/x -- ls -la", "kubectl exec deploy/x -- ls -la; kubectl exec > ls -la"},
	{"kubectl get pods", "kubectl get pods"},
	{"kubectl run x --image=y --restart=Never --command -- rm z", "kubectl run x --image=y --restart=Never --command -- rm z; kubectl run > rm z"},
	{"kubectl run x --image=y -- rm z", "kubectl run x --image=y -- rm z; kubectl run > rm z"},
	{"kubectl run x --image=y", "kubectl run x --image=y"},
	{"kubectl debug -it p --image=busybox -- rm x", "kubectl debug -it p --image=busybox -- rm x; kubectl debug > rm x"},
	{"kubectl debug node/n -it --image=b", "kubectl debug node/n -it --image=b"},
	{"kubectl delete pod x", "kubectl delete pod x"},
	{"oc rsh pod rm x", "oc rsh pod rm x; oc rsh > rm x"},
	{"oc exec p -- rm x", "oc exec p -- rm x; oc exec > rm x"},
	{"lxc exec c -- rm x", "lxc exec c -- rm x; lxc exec > rm x"},
	{"incus exec c --env A=1 -- rm x", "incus exec c --env A=1 -- rm x; incus exec > rm x"},
	{"vagrant ssh -c 'rm x'", `vagrant ssh -c "rm x"; vagrant ssh -c > rm x`},
	{"vagrant ssh web -- rm x", "vagrant ssh web -- rm x; vagrant ssh > rm x"},
	{"vagrant up", "vagrant up"},
	{"podman unshare rm -rf x", "podman unshare rm -rf x; podman unshare > rm -rf x"},
	{"ansible all -m shell -a 'rm x; ls'", `ansible all -m shell -a "rm x; ls"; ansible > rm x; ansible > ls`},
	{"ansible web -i hosts -b -a 'rm -rf x'", `ansible web -i hosts -b -a "rm -rf x"; ansible > rm -rf x`},
	{"ansible web -m ansible.builtin.command --args='rm x'", `ansible web -m ansible.builtin.command "--args=rm x"; ansible > rm x`},
	{"ansible web -m file -a 'path=x state=absent'", `ansible web -m file -a "path=x state=absent"`},
	{"ansible all -m ping", "ansible all -m ping"},
	{"ansible all -C -m shell -a 'rm x'", `ansible all -C -m shell -a "rm x"`},
	{"pdsh -w a,b -l root rm -rf x", "pdsh -w a,b -l root rm -rf x; pdsh > rm -rf x"},
	{"pssh -h hosts -i 'rm x'", `pssh -h hosts -i "rm x"; pssh > rm x`},
	{"clush -g web rm x", "clush -g web rm x; clush > rm x"},
	{"clush -w a -c rm", "clush -w a -c rm"},
	{"dsh -a -- rm x", "dsh -a -- rm x; dsh > rm x"},
	{"gcloud compute ssh vm --zone z --command='rm x'", `gcloud compute ssh vm --zone z "--command=rm x"; gcloud compute ssh --command > rm x`},
	{"gcloud compute ssh vm -- -N -L 1:2:3", "gcloud compute ssh vm -- -N -L 1:2:3"},
	{"gcloud compute ssh vm -- rm x", "gcloud compute ssh vm -- rm x; gcloud compute ssh > rm x"},
	{"gcloud compute instances list", "gcloud compute instances list"},
	{"multipass exec vm -- rm x", "multipass exec vm -- rm x; multipass exec > rm x"},
	{"minikube ssh 'rm x'", `minikube ssh "rm x"; minikube ssh > rm x`},
	{"fly ssh console -C 'rm x'", `fly ssh console -C "rm x"; fly ssh console -C > rm x`},
	{"machinectl shell u@c /bin/rm x", "machinectl shell u@c /bin/rm x; machinectl shell > rm x"},
	{"flatpak run --command=sh app -c 'rm x'", `flatpak run --command=sh app -c "rm x"; flatpak run > sh -c "rm x"; flatpak run > sh -c > rm x`},
	{"flatpak run app", "flatpak run app"},
}

func TestRemote(t *testing.T) {
	for _, c := range remoteCases {
		if got := show(Parse(c.text, Options{})); got != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestElsewhere checks which commands are said to run on another machine.
func TestElsewhere(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool // of the last command
	}{
		{"ssh h rm x", true},
		{"ssh h sudo bash -c 'rm x'", true},
		{"echo 'rm x' | ssh h", true},
		{"ssh -o ProxyCommand='rm x' h", false},
		{"ssh -o RemoteCommand='rm x' h", true},
		{"rsync -e 'ssh -p 1' a h:b", false},
		{"rsync --rsync-path='rm x' a h:b", true},
		{"docker run -v /:/h img rm x", true},
		{"docker run --entrypoint rm img x", true},
		{"docker compose exec web rm x", true},
		{"kubectl exec p -- rm x", true},
		{"docker exec $C rm x", true},
		{"parallel -S h rm ::: x", true},
		{"parallel -S : rm ::: x", false},
		{"systemd-run -H h rm x", true},
		{"systemd-run rm x", false},
		{"mosh --ssh='rm x' h", false},
		{"chroot /m rm x", false},
		{"ssh h; rm x", false},
	} {
		commands := Parse(c.text, Options{}).Commands
		if last := commands[len(commands)-1]; last.Remote != c.want {
			t.Errorf("%q: %s is remote: %v", c.text, last.Name, last.Remote)
		}
	}
}

// TestRemoteEnvironment checks that what is set for ssh isn't set behind it,
// and that what docker is told to set is.
func TestRemoteEnvironment(t *testing.T) {
	for text, want := range map[string]string{
		"A=1 ssh h rm x":              "A=1 ssh h rm x; ssh > rm x",
		"A=1 docker exec c rm x":      "A=1 docker exec c rm x; docker exec > rm x",
		"A=1 docker exec -e B c rm x": "A=1 docker exec -e B c rm x; docker exec > rm x",
		"A=1 sudo rm x":               "A=1 sudo rm x; sudo > A=1 rm x",
		"docker run --env A=1 i rm x": "docker run --env A=1 i rm x; docker run > A=1 rm x",
	} {
		if got := show(Parse(text, Options{})); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}
