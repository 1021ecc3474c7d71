-- Made from the rules by `go test ./builtins -update`: which files have rules for what (see
-- rulebook.tags), so that only those are loaded that a call needs.

return {
  ["rules.self"] = {
    standard = " apk apt apt-get asdf brew cargo chmod choco chown claude codex copilot cp cursor-agent dd dnf dpkg gemini go install kill killall killall5 launchctl ln luahook mise mv nix-env npm opencode pacman pip pipx pkill qwen rc-service rm rpm scoop service shred skill snap sv systemctl taskkill tee truncate unlink winget yum zypper ",
    strict = "  ",
    ids = "self.admin self.admin-unknown self.stop self.stop-found self.remove self.program-found self.switch",
  },
  ["rules.hookfiles"] = {
    standard = " ed emacs ex find gio git:am git:apply git:checkout git:clean git:clone git:merge git:mv git:pull git:rebase git:reset git:restore git:rm git:stash git:switch ln mount nvim on:file umount vi vim xargs ",
    strict = "  ",
    ids = "self.hooks self.hooks-by-git self.hooks-found self.hooks-otherwise self.settings self.program",
  },
  ["rules.deletion"] = {
    standard = " bsdtar del-cli grm gtar on:file rimraf rm rmdir srm tar unlink zip ",
    strict = "  ",
    ids = "deletion.root deletion.home deletion.system deletion.working-folder deletion.git-folder deletion.nested-git-folder deletion.outside deletion.temp-folder deletion.file deletion.by-tool",
  },
  ["rules.deletion_unknown"] = {
    standard = " bsdtar del del-cli deltree erase grm gtar powershell pwsh rd rimraf rm rmdir srm tar unlink zip ",
    strict = " bsdtar del-cli grm gtar rimraf rm rmdir srm tar unlink zip ",
    ids = "deletion.unknown deletion.found deletion.piped deletion.by-program deletion.literal deletion.windows deletion.recursive deletion.forced deletion.pattern",
  },
  ["rules.overwrite"] = {
    standard = " bcwipe gmv gshred gtruncate mv rsync scrub sdelete sdelete64 sfill shred truncate wipe ",
    strict = "  ",
    ids = "overwrite.moved overwrite.moved-system overwrite.moved-to-nothing overwrite.mirrored overwrite.mirrored-here overwrite.emptied overwrite.shredded overwrite.wiped",
  },
  ["rules.git"] = {
    standard = " git git:am git:checkout git:checkout-index git:cherry-pick git:clean git:commit git:config git:merge git:mv git:pull git:push git:read-tree git:rebase git:reset git:restore git:revert git:rm git:sparse-checkout git:stash git:submodule git:switch git:worktree ",
    strict = " git git:am git:cherry-pick git:merge git:rebase git:revert hub ",
    ids = "git.reset-hard git.checkout-files git.checkout-name git.restore git.switch git.clean git.remove git.stash-clear git.stash-drop git.worktree-remove git.index git.abort git.skip-hooks git.open-ended git.changes git.unknown",
  },
  ["rules.history"] = {
    standard = " bfg bfg.jar brz bzr git:branch git:fast-import git:filter-branch git:filter-repo git:gc git:history git:lfs git:prune git:push git:reflog git:repack git:replace git:replay git:send-pack git:symbolic-ref git:tag git:update-ref hg jj sl svn ",
    strict = " git:branch git:checkout git:commit git:fetch git:pull git:push git:rebase git:remote git:reset git:switch git:worktree ",
    ids = "git.push-force git.push-delete git.branch-force git.refs git.rewrite git.bfg git.reflog git.prune git.others git.history git.push-main",
  },
  ["rules.disk"] = {
    standard = " nwipe on:file parted scrub shred srm wipe ",
    strict = " on:file ",
    ids = "disk.device-write disk.format disk.format-unknown disk.write-unknown disk.partition disk.parted disk.parted-asks disk.wipe disk.shred-device",
  },
  ["rules.volumes"] = {
    standard = " Clear-Disk Format-Volume Initialize-Disk Remove-Partition asr bootctl btrfs cipher cryptsetup debugfs diskpart diskutil dmsetup efibootmgr fastboot fdformat flash_erase flash_eraseall flashrom format format.com geli gpart gpt grub-install grub2-install hdparm lvconvert lvm lvreduce lvremove lvresize mdadm mount nbd-client nvme pvcreate pvmove pvremove resize2fs sg_format sg_sanitize umount vgcreate vgreduce vgremove xfs_repair zfs zpool ",
    strict = "  ",
    ids = "disk.erase disk.volumes disk.reshape disk.arrays disk.diskutil disk.windows disk.boot-loader",
  },
  ["rules.permissions"] = {
    standard = " chattr chcon chflags chgrp chmod chown install mkdir setcap setfacl umask ",
    strict = "  ",
    ids = "permissions.whole-tree permissions.system-tree permissions.open-tree permissions.lock-out permissions.open permissions.umask permissions.setuid permissions.unknown-mode permissions.keys permissions.to-root permissions.locked-system",
  },
  ["rules.accounts"] = {
    standard = " addgroup adduser chpasswd delgroup deluser gpasswd groupdel icacls passwd setfacl takeown userdel usermod vipw visudo ",
    strict = "  ",
    ids = "permissions.accounts permissions.access-list",
  },
  ["rules.processes"] = {
    standard = " ? Restart-Computer Stop-Computer halt init kexec kill killall killall5 loginctl needs:multiplies node nodejs on:file osascript perl php pkill poweroff python python2 python3 reboot ruby shutdown skill slay systemctl telinit ",
    strict = "  ",
    ids = "processes.fork-bomb processes.fork-loop processes.itself processes.kill-all processes.kill-matching processes.kill-vital processes.killall5 processes.shutdown processes.runlevel processes.systemctl processes.osascript processes.kexec processes.sysrq",
  },
  ["rules.execution"] = {
    standard = " . ? Invoke-Expression R ash at awk bash batch busybox cmd csh dash elvish fish gawk iex ksh lua mksh nc nc.openbsd nc.traditional ncat needs:decoded netcat node nodejs nu openssl osascript perl php powershell pwsh python python2 python3 rbash ruby sh socat source tclsh tcsh telnet yash zsh ",
    strict = " ? ",
    ids = "execution.download execution.remote-text execution.decoded execution.unpacked execution.written-to execution.network-shell execution.listener execution.scripted-shell execution.answering execution.powershell execution.unknown-program",
  },
  ["rules.input"] = {
    standard = " ? awk bun deno eval find gawk mawk nawk node nodejs parallel perl php python python2 python3 ruby xargs ",
    strict = "  ",
    ids = "input.as-program input.evaluated input.in-script input.as-code input.as-options",
  },
  ["rules.files"] = {
    standard = " crontab on:file ",
    strict = "  ",
    ids = "files.protected files.login files.keys files.shell-start files.launch files.cron-table files.crontab-remove files.crontab files.git-settings files.credentials files.accounts files.boot files.kernel files.system",
  },
  ["rules.sql"] = {
    standard = " on:statement ",
    strict = " on:statement ",
    ids = "sql.drop-database sql.drop-table sql.truncate sql.delete-all sql.drop-column sql.update-all sql.drop-object sql.program sql.every-loss sql.unknown",
  },
  ["rules.unknown"] = {
    standard = " ? needs:blank needs:hands_on on:line ",
    strict = "  ",
    ids = "unknown.syntax unknown.complex unknown.deletion unknown.handed-over unknown.quoted-line",
  },
  ["packs.containers"] = {
    standard = " VBoxManage buildah colima crane crictl ctr distrobox dive docker docker-compose docker-machine finch find git img incus limactl lxc machinectl multipass nerdctl orb orbctl pct podman podman-compose podman-remote prlctl qm regctl rm rsync shred skopeo tart toolbox vboxmanage virsh ",
    strict = " docker docker-compose finch nerdctl podman podman-compose podman-remote ",
    ids = "containers.mount containers.mounted containers.socket containers.privileged containers.prune-volumes containers.prune containers.volume-rm containers.compose-volumes containers.compose-images containers.compose-rm containers.rm-force containers.rmi-force containers.all containers.swarm containers.engine containers.machine containers.remove",
  },
  ["packs.kubernetes"] = {
    standard = " argocd cilium clusterctl crc devspace flux garden helm helm2 helm3 helmfile istioctl k k0s k0sctl k3d k3s kapp kind kluctl kn kops kubeadm kubecolor kubectl linkerd microk8s microk8s.kubectl minikube oc okteto rancher rke skaffold talosctl telepresence tilt velero werf ",
    strict = " k kubecolor kubectl microk8s.kubectl oc ",
    ids = "kubernetes.delete-broad kubernetes.delete kubernetes.node kubernetes.scale-down kubernetes.patch kubernetes.replace-force kubernetes.undo kubernetes.helm-uninstall kubernetes.helm-force kubernetes.gitops-delete kubernetes.sync-prune kubernetes.cluster-delete kubernetes.change",
  },
  ["packs.terraform"] = {
    standard = " ampx ansible ansible-console ansible-playbook aws-cdk bosh bun cdk cdktf chalice copilot gmake juju just knife make nitric nomad npm opentofu packer pnpm pulumi salt salt-key sst task terraform terragrunt tf tofu vagrant waypoint yarn zappa ",
    strict = " opentofu terraform terragrunt tf tofu ",
    ids = "terraform.destroy terraform.auto-approve terraform.state terraform.apply terraform.pulumi terraform.pulumi-change terraform.cdk terraform.script terraform.cdk-context terraform.ansible terraform.machines",
  },
  ["packs.cloud"] = {
    standard = " aiven akamai algolia aliyun amplify apigeecli apigeetool appwrite argo atlas avn aws az azcopy azd bk bq braintree buildctl bun bunny cdn77 cf cf-terraforming circleci civo cli53 cloudflared cockroach codefresh configcat confluent convex copilot curl datadog-ci deck dnscontrol doctl dog dokku drone eas eb eksctl exo expo fastly firebase firebase-tools flarectl flipt fly flyctl gcloud grafana-cli grafanactl growthbook grr gsutil hasura hcloud heroku honeycomb http https ibmcloud java jenkins-cli kong koyeb ldcli linode-cli mailchimp mailgun mc mcli meilisearch mongocli neon neonctl netlify netlify-cli newrelic nomad now npm nsupdate ntl oci openstack paddle pd platform pnpm posthog-cli postmark pscale pulsar-admin railway rancher rclone render s3cmd s5cmd sam scw sendgrid sentry-cli serverless shopify sls socat split splunk square sst statsig stripe supabase surge tkn travis turso twilio typesense unleash upctl upsun vc vercel vultr-cli wget woodpecker-cli wrangler xh yarn yc ",
    strict = " aliyun aws az civo eksctl exo gcloud hcloud ibmcloud linode-cli oci openstack scw upctl vultr-cli yc ",
    ids = "cloud.aws-delete cloud.aws-bucket cloud.aws-object cloud.aws-remove cloud.aws-stop cloud.aws-machines cloud.aws-change cloud.aws-access cloud.delete cloud.remove cloud.access cloud.shrink cloud.az-rest cloud.change cloud.gcloud-sync cloud.gsutil cloud.gsutil-access cloud.bq cloud.azcopy cloud.minio cloud.s3-programs cloud.rclone cloud.hosting cloud.hosting-stop cloud.scale-to-nothing cloud.online cloud.refund cloud.jenkins cloud.api-delete cloud.dns-update",
  },
  ["packs.databases"] = {
    standard = " ace alembic artisan atlas bun composer console consul couchbase-cli curl dbmate diesel django-admin dotnet dotnet-ef drizzle-kit dropdb dropuser drush etcdctl flask flyway gmake goose hanami http https influx initdb just kafka-acls kafka-acls.sh kafka-configs kafka-configs.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-delete-records kafka-delete-records.sh kafka-topics kafka-topics.sh keydb-cli knex liquibase make manage.py mariadb-admin mariadb-dump migrate mikro-orm mix mongo mongoimport mongorestore mongosh mysqladmin mysqldump nats neo4j-admin node nodetool npm on:statement pg_ctl pg_ctlcluster pg_dropcluster pg_dump pg_dumpall pg_resetwal pg_restore pg_rewind phinx php pnpm prisma py python python3 rabbitmqadmin rabbitmqctl rails rake redis-cli rpk ruby sail sea-orm-cli sequelize sequelize-cli spark spring sqitch sqlx symfony task ts-node tsx typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm valkey-cli wget wp xh yarn yii ",
    strict = "  ",
    ids = "databases.redis-all databases.redis-keys databases.mongo databases.restore databases.dump-clean databases.mysqladmin databases.drop databases.stop databases.http databases.stores databases.kafka databases.grant-all databases.server databases.reset databases.script databases.step-back",
  },
  ["packs.publishing"] = {
    standard = " bun cabal cargo changeset charmcraft clj clojure composer conan dart deno dotnet eas fastlane flit flutter gem goreleaser gradle gradlew hatch jsr lein lerna luarocks maturin mix mvn mvnw np npm nuget nx ovsx pdm pip pip2 pip3 pnpm pod poetry pub release-it rockcraft rye sbt semantic-release snapcraft stack twine uv vsce yarn ",
    strict = "  ",
    ids = "publishing.publish publishing.take-back publishing.global publishing.pip",
  },
  ["packs.remote"] = {
    standard = " borg borgmatic bup busybox duplicacy duplicity fd fdfind find ftp gio git kopia lftp mv needs:remote pscp rcp rdiff-backup restic rimraf rm rmdir rsync rustic scp sftp shred snapper srm ssh-add ssh-copy-id ssh-keygen tarsnap timeshift tmutil toybox trash truncate unlink wipe ",
    strict = " busybox fd fdfind find gio git mv rimraf rm rmdir rsync shred srm toybox trash truncate unlink wipe ",
    ids = "remote.delete-vital remote.delete remote.write remote.copy remote.rsync-delete remote.rsync-move remote.keys remote.session remote.backups remote.any-delete",
  },
  ["packs.secrets"] = {
    standard = " akeyless aws bao berglas bw bws chamber conjur credstash declare doppler echo env export gopass gpg gpg2 infisical keyring kubectl lpass oc on:file on:reading op pass print printenv printf secret-tool security set typeset vault ",
    strict = " aws az bao bw doppler gcloud gh gopass op pass vault ",
    ids = "secrets.read secrets.variables secrets.echo secrets.fetch secrets.keychain secrets.cluster secrets.vault secrets.managers secrets.aws",
  },
  ["packs.forges"] = {
    standard = " gh glab hub tea ",
    strict = " gh glab ",
    ids = "forges.api-delete forges.api-change forges.api-write forges.delete forges.close forges.visibility forges.body-file",
  },
  ["packs.services"] = {
    standard = " aa-disable aa-teardown apache2ctl apachectl apk apt apt-get aptitude brew checkinstall chkconfig choco circusctl cmake conda dnf dnf5 dpkg emerge eopkg firewall-cmd flatpak gitlab-ctl gitlab-runner gmake god guix haproxy hostnamectl ifconfig ifdown initctl invoke-rc.d ip ip6tables ipset iptables iptables-legacy iptables-nft iptables-restore journalctl just kextunload launchctl loginctl make mamba meson microdnf micromamba modprobe monit nala net netsh networksetup nft nginx ninja nix nix-collect-garbage nix-env nmcli nssm on:command opkg pacman paru pfctl pkg pkg_delete pkgin pkgrm pm2 port rabbitmqctl rake rc-service rc-update rcctl rmmod rpm rpm-ostree s6-rc s6-svc sc scons scoop service setenforce snap supervisorctl sv svcadm swapoff swupd systemctl tailscale tdnf timedatectl transactional-update ufw update-rc.d wg-quick winget xbps-remove yay yum zypper ",
    strict = " service systemctl ",
    ids = "services.systemctl services.service services.init services.manager services.remove-packages services.remove-packages-option services.install-as-root services.firewall services.network services.own",
  },
  ["packs.git"] = {
    standard = " git git:archive git:clone git:config git:fetch git:fetch-pack git:init git:lfs git:ls-remote git:pull git:push git:remote git:send-pack git:submodule git:subtree git:upload-pack hub ",
    strict = "  ",
    ids = "git-exec.setting git-exec.stored git-exec.edit git-exec.option",
  },
}
