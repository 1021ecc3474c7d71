package windows

import (
	"strings"
	"sync"
)

// cmdlet is what is known of a cmdlet.
type cmdlet struct {
	name   string
	params string // names; those with "=" take a value
	places string // which ones the arguments without a name are for
	do     func(*walker, *bound) value
	open   bool // there may be other parameters
}

// common are the parameters that every cmdlet has.
const common = "Verbose Debug ErrorAction= WarningAction= InformationAction= ErrorVariable= WarningVariable= InformationVariable= OutVariable= OutBuffer= PipelineVariable= ProgressAction= WhatIf Confirm"

// short are the other names of parameters.
var short = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"ea": "ErrorAction", "wa": "WarningAction", "ev": "ErrorVariable", "ov": "OutVariable", "wi": "WhatIf", "cf": "Confirm", "vb": "Verbose", "db": "Debug",
		"pspath": "LiteralPath", "lp": "LiteralPath", "recursive": "Recurse", "s": "Recurse", "cn": "ComputerName", "infa": "InformationAction", "pv": "PipelineVariable",
		"fi": "Filter", "ad": "Directory", "af": "File", "ah": "Hidden",
	}
})

// parameter returns the full name of a parameter, "" where there is none, and
// whether it takes a value.
func (c *cmdlet) parameter(name string) (full string, takes bool) {
	lower := strings.ToLower(name)
	var found string
	for _, list := range [...]string{c.params, common} {
		for candidate := range strings.FieldsSeq(list) {
			plain := strings.TrimSuffix(candidate, "=")
			l := strings.ToLower(plain)
			if l == lower {
				return plain, plain != candidate
			}
			// Where there are several, PowerShell refuses; a switch is the one that is meant.
			if strings.HasPrefix(l, lower) && (found == "" || strings.HasSuffix(found, "=") && plain == candidate && list != common) {
				found = candidate
			}
		}
	}
	if full, ok := short()[lower]; ok {
		for _, list := range [...]string{c.params, common} {
			for candidate := range strings.FieldsSeq(list) {
				if plain := strings.TrimSuffix(candidate, "="); plain == full {
					return plain, plain != candidate
				}
			}
		}
	}
	plain := strings.TrimSuffix(found, "=")
	return plain, plain != found
}

// aliases are other names of cmdlets. Those in also are also those of programs
// of Unix systems.
const (
	aliases = "ri=Remove-Item rd=Remove-Item del=Remove-Item erase=Remove-Item rp=Remove-ItemProperty gci=Get-ChildItem dir=Get-ChildItem gi=Get-Item gp=Get-ItemProperty " +
		"gc=Get-Content type=Get-Content ac=Add-Content clc=Clear-Content cli=Clear-Item ni=New-Item md=mkdir copy=Copy-Item cpi=Copy-Item move=Move-Item mi=Move-Item " +
		"ren=Rename-Item rni=Rename-Item si=Set-Item sp=Set-ItemProperty iwr=Invoke-WebRequest irm=Invoke-RestMethod iex=Invoke-Expression icm=Invoke-Command ii=Invoke-Item " +
		"%=ForEach-Object foreach=ForEach-Object ?=Where-Object where=Where-Object select=Select-Object sls=Select-String saps=Start-Process start=Start-Process " +
		"spps=Stop-Process gps=Get-Process gsv=Get-Service spsv=Stop-Service sasv=Start-Service sl=Set-Location chdir=Set-Location gl=Get-Location " +
		"sajb=Start-Job gwmi=Get-WmiObject gcim=Get-CimInstance iwmi=Invoke-WmiMethod icim=Invoke-CimMethod rwmi=Remove-WmiObject rcim=Remove-CimInstance " +
		"sal=Set-Alias nal=New-Alias set=Set-Variable sv=Set-Variable nv=New-Variable gv=Get-Variable write=Write-Output oh=Out-Host ipmo=Import-Module " +
		"fl=Format-List ft=Format-Table fw=Format-Wide measure=Measure-Object group=Group-Object gm=Get-Member gcm=Get-Command cls=Clear-Host rvpa=Resolve-Path cvpa=Convert-Path " +
		"epcsv=Export-Csv ipcsv=Import-Csv sc=Set-Content clp=Clear-ItemProperty rv=Remove-Variable rmo=Remove-Module gerr=Get-Error scb=Set-Clipboard gcb=Get-Clipboard stz=Set-TimeZone gal=Get-Alias"
	also = "rm=Remove-Item rmdir=Remove-Item ls=Get-ChildItem cat=Get-Content cp=Copy-Item mv=Move-Item curl=Invoke-WebRequest wget=Invoke-WebRequest kill=Stop-Process " +
		"ps=Get-Process tee=Tee-Object sort=Sort-Object cd=Set-Location pushd=Push-Location popd=Pop-Location pwd=Get-Location echo=Write-Output sleep=Start-Sleep man=help clear=Clear-Host diff=Compare-Object"
)

// plainNames are cmdlets of which there is only the name to know.
const plainNames = "Stop-Computer Restart-Computer Format-Volume Clear-Disk Initialize-Disk Remove-Partition Set-Partition Resize-Partition New-Partition Set-Disk Remove-VirtualDisk Remove-StoragePool " +
	"Reset-PhysicalDisk Remove-PhysicalDisk Optimize-Volume Repair-Volume Get-Disk Get-Partition Get-Volume Get-PhysicalDisk Dismount-DiskImage Clear-PmemDisk Dismount-VHD Remove-VHD " +
	"Clear-EventLog Remove-EventLog Limit-EventLog Get-EventLog Get-WinEvent Set-MpPreference Add-MpPreference Remove-MpPreference Get-MpPreference Set-NetFirewallProfile Disable-NetFirewallRule " +
	"Remove-NetFirewallRule New-NetFirewallRule Enable-NetFirewallRule Disable-WindowsOptionalFeature Uninstall-WindowsFeature Remove-WindowsFeature Disable-ComputerRestore Disable-BitLocker Suspend-BitLocker Clear-Tpm " +
	"Remove-BitLockerKeyProtector Remove-Service Stop-Service Set-Service Restart-Service Start-Service Suspend-Service Get-Service Set-ExecutionPolicy Get-ExecutionPolicy " +
	"Remove-LocalUser Remove-LocalGroup Remove-LocalGroupMember Add-LocalGroupMember Disable-LocalUser New-LocalUser Set-LocalUser " +
	"Remove-ADUser Remove-ADObject Remove-ADGroup Remove-ADComputer Remove-ADOrganizationalUnit Remove-ADGroupMember Remove-ADServiceAccount Disable-ADAccount Set-ADAccountPassword Get-ADUser Get-ADComputer " +
	"Remove-GPO Remove-DnsServerZone Remove-DnsServerResourceRecord Remove-DhcpServerv4Scope Remove-Mailbox Remove-MailboxDatabase Remove-DistributionGroup Remove-MgUser Remove-MgGroup Remove-MsolUser Remove-AzureADUser " +
	"Remove-VM Remove-VMSnapshot Remove-VMHardDiskDrive Stop-VM Restore-VMSnapshot Remove-VMSwitch Remove-Cluster Remove-ClusterGroup Remove-AzResourceGroup Remove-AzVM Remove-AzStorageAccount Remove-AzKeyVault " +
	"Remove-AzSqlDatabase Remove-AzSqlServer Remove-AzDisk Remove-AzResource Remove-AzStorageContainer Remove-AzStorageBlob Remove-AzAksCluster Remove-AzWebApp Remove-AzSubscription Remove-AzADApplication Remove-AzADUser " +
	"Remove-AzCosmosDBAccount Remove-AzSnapshot Remove-AzRecoveryServicesVault Remove-S3Bucket Remove-S3Object Remove-EC2Instance Remove-RDSDBInstance Remove-CFNStack Remove-DDBTable Remove-GcsBucket Remove-GcsObject " +
	"Remove-SmbShare Remove-PSDrive Remove-WebSite Remove-Website Remove-WebAppPool Remove-IISSite Remove-AppxPackage Remove-AppxProvisionedPackage Uninstall-Package Uninstall-Module Uninstall-Script " +
	"Unregister-ScheduledTask Disable-ScheduledTask Register-ScheduledTask New-ScheduledTask Clear-RecycleBin Clear-History Clear-DnsClientCache Clear-Variable Clear-Host Remove-Computer Reset-ComputerMachinePassword Rename-Computer Add-Computer " +
	"Remove-CertificateEnrollmentPolicyServer Remove-NetIPAddress Remove-NetRoute Disable-NetAdapter Remove-NetAdapter Remove-Printer Remove-Module Remove-Variable Remove-Event Remove-Job Remove-PSSession Remove-TypeData Remove-PSBreakpoint " +
	"Remove-DbaDatabase Remove-SqlDatabase Remove-WmiObject Remove-CimInstance Set-Acl Get-Acl Checkpoint-Computer Restore-Computer Debug-Process Get-CimInstance Get-WmiObject Invoke-WmiMethod Invoke-CimMethod"

var cmdlets struct {
	once   sync.Once
	byName map[string]*cmdlet
}

// cmdletsByName returns the cmdlets by their names in small letters.
func cmdletsByName() map[string]*cmdlet {
	cmdlets.once.Do(func() { cmdlets.byName = listCmdlets() })
	return cmdlets.byName
}

func listCmdlets() map[string]*cmdlet {
	byName := map[string]*cmdlet{}
	for name := range strings.FieldsSeq(plainNames) {
		byName[strings.ToLower(name)] = &cmdlet{name: name, open: true, params: "Force Recurse PassThru AsJob All Filter="}
	}
	for _, c := range cmdletTable() {
		byName[strings.ToLower(c.name)] = c
	}
	return byName
}

// aliasTargets holds the cmdlets that aliases stand for.
var aliasTargets = sync.OnceValue(func() map[string]aliasTarget {
	targets := map[string]aliasTarget{}
	for i, list := range [...]string{aliases, also} {
		for pair := range strings.FieldsSeq(list) {
			at := strings.IndexByte(pair[1:], '=') + 1
			targets[pair[:at]] = aliasTarget{strings.ToLower(pair[at+1:]), i == 1}
		}
	}
	return targets
})

type aliasTarget struct {
	name string
	unix bool
}

// find returns the cmdlet that a name stands for, nil for a program.
func (w *walker) find(name string, n *node) *cmdlet {
	lower := strings.ToLower(name)
	if at := strings.LastIndexByte(lower, '\\'); at > 0 && strings.IndexByte(lower[at:], '-') > 0 && !strings.ContainsAny(lower[:at], `:\/`) && strings.HasPrefix(lower, "microsoft.") {
		lower, name = lower[at+1:], name[at+1:]
	}
	if target, ok := aliasTargets()[lower]; ok {
		c := cmdletsByName()[target.name]
		switch {
		case c == nil:
			return nil
		case target.unix && !fits(c, lower, n):
			return nil
		case lower == "sc" && len(n.kids) > 1 && isServiceVerb(n.kids[1]):
			return nil
		}
		return c
	}
	if c, ok := cmdletsByName()[lower]; ok {
		return c
	}
	verb, noun, ok := strings.Cut(name, "-")
	if !ok || verb == "" || noun == "" || name[0] < 'A' || name[0] > 'Z' || strings.ContainsAny(noun, "-./\\") || !isVerb(strings.ToLower(verb)) {
		return nil
	}
	return &cmdlet{name: name, open: true}
}

func isServiceVerb(n *node) bool {
	switch strings.ToLower(n.text) {
	case "delete", "stop", "start", "query", "queryex", "create", "config", "qc", "failure", "description", "pause", "continue", "sdset", "sdshow", "qdescription", "interrogate", "control":
		return true
	}
	return strings.HasPrefix(n.text, `\\`)
}

// fits reports whether the arguments are those of the cmdlet, and not of the
// program of the same name.
func fits(c *cmdlet, name string, n *node) bool {
	web := name == "curl" || name == "wget"
	any := false
	for _, kid := range n.kids[1:] {
		text := kid.text
		if kid.kind == expandNode && len(kid.kids) > 0 {
			text = kid.kids[0].text
		}
		if kid.kind != stringNode && kid.kind != expandNode || kid.quoted || len(text) < 2 || text[0] != '-' {
			continue
		}
		option, _, _ := strings.Cut(text[1:], ":")
		full, _ := c.parameter(option)
		if full == "" || web && len(option) < 3 {
			return false
		}
		any = true
	}
	return any || !web
}

const verbs = " add clear close copy enter exit find format get hide join lock move new open optimize pop push redo remove rename reset resize search select set show skip split step switch undo unlock watch " +
	"connect disconnect read receive send write backup checkpoint compare compress convert convertfrom convertto dismount edit expand export group import initialize limit merge mount out publish restore save sync unpublish update " +
	"debug measure ping repair resolve test trace approve assert build complete confirm deny deploy disable enable install invoke register request restart resume start stop submit suspend uninstall unregister wait block grant protect revoke unblock unprotect use foreach where tee sort "

// isVerb reports whether cmdlets begin with the word.
func isVerb(word string) bool { return strings.Contains(verbs, " "+word+" ") }

const fileParams = "Path= LiteralPath= Filter= Include= Exclude= Force Credential= UseTransaction "

func cmdletTable() []*cmdlet {
	write := "Path= LiteralPath= Value= Encoding= Force NoNewline Filter= Include= Exclude= PassThru Stream= AsByteStream NoClobber Append Delimiter= Credential= NoTypeInformation InputObject= "
	return []*cmdlet{
		{name: "Remove-Item", params: fileParams + "Recurse Stream=", places: "Path", do: (*walker).removeItem},
		{name: "Clear-Item", params: fileParams, places: "Path", do: (*walker).clearContent},
		{name: "Clear-Content", params: fileParams + "Stream=", places: "Path", do: (*walker).clearContent},
		{name: "Set-Content", params: write, places: "Path Value", do: (*walker).setContent},
		{name: "Add-Content", params: write, places: "Path Value", do: (*walker).setContent},
		{name: "Out-File", params: "FilePath= LiteralPath= Encoding= Append Force NoClobber Width= NoNewline InputObject=", places: "FilePath Encoding", do: (*walker).setContent},
		{name: "Export-Csv", params: write + "Delimiter= UseCulture Header=", places: "Path Delimiter", do: (*walker).setContent},
		{name: "Export-Clixml", params: write + "Depth=", places: "Path", do: (*walker).setContent},
		{name: "Tee-Object", params: "FilePath= LiteralPath= Append Variable= InputObject= Encoding=", places: "FilePath", do: (*walker).setContent},
		{name: "Start-Transcript", params: "Path= LiteralPath= OutputDirectory= Append Force NoClobber IncludeInvocationHeader", places: "Path", do: (*walker).setContent},
		{name: "New-Item", params: "Path= Name= ItemType= Type= Value= Target= Force Credential=", places: "Path", do: (*walker).newItem},
		{name: "mkdir", params: "Path= Name= Value= Force Credential=", places: "Path", do: (*walker).newItem},
		{name: "Copy-Item", params: "Path= LiteralPath= Destination= Container Force Filter= Include= Exclude= Recurse PassThru Credential= FromSession= ToSession=", places: "Path Destination", do: (*walker).copyItem},
		{name: "Move-Item", params: "Path= LiteralPath= Destination= Force Filter= Include= Exclude= PassThru Credential=", places: "Path Destination", do: (*walker).moveItem},
		{name: "Rename-Item", params: "Path= LiteralPath= NewName= Force PassThru Credential=", places: "Path NewName", do: (*walker).renameItem},
		{name: "Set-Item", params: "Path= LiteralPath= Value= Force PassThru Filter= Include= Exclude=", places: "Path Value", do: (*walker).setItem},
		{name: "Get-ChildItem", params: "Path= LiteralPath= Filter= Include= Exclude= Recurse Depth= Force Name Attributes= Directory File Hidden ReadOnly System FollowSymlink", places: "Path Filter", do: (*walker).getChildItem},
		{name: "Get-Item", params: fileParams + "Stream=", places: "Path", do: (*walker).getItem},
		{name: "Resolve-Path", params: "Path= LiteralPath= Relative Credential=", places: "Path", do: (*walker).getItem},
		{name: "Convert-Path", params: "Path= LiteralPath=", places: "Path", do: (*walker).getItem},
		{name: "Get-Content", params: "Path= LiteralPath= ReadCount= TotalCount= Tail= Filter= Include= Exclude= Force Delimiter= Wait Raw Encoding= Stream= AsByteStream", places: "Path", do: (*walker).getContent},
		{name: "Import-Csv", params: "Path= LiteralPath= Delimiter= Header= Encoding= UseCulture", places: "Path Delimiter", do: (*walker).getContent},
		{name: "Select-String", params: "Pattern= Path= LiteralPath= Include= Exclude= SimpleMatch CaseSensitive Quiet List NotMatch AllMatches Encoding= Context= Raw NoEmphasis InputObject=", places: "Pattern Path", do: (*walker).selectString},
		{name: "Test-Path", params: fileParams + "PathType= IsValid NewerThan= OlderThan=", places: "Path", do: (*walker).testPath},
		{name: "Join-Path", params: "Path= ChildPath= AdditionalChildPath= Resolve Credential=", places: "Path ChildPath AdditionalChildPath", do: (*walker).joinPath},
		{name: "Split-Path", params: "Path= LiteralPath= Parent Leaf LeafBase Extension Qualifier NoQualifier Resolve IsAbsolute", places: "Path", do: (*walker).splitPath},
		{name: "Set-Location", params: "Path= LiteralPath= PassThru StackName=", places: "Path", do: (*walker).setLocation},
		{name: "Push-Location", params: "Path= LiteralPath= PassThru StackName=", places: "Path", do: (*walker).setLocation},
		{name: "Pop-Location", params: "PassThru StackName=", do: (*walker).popLocation},
		{name: "Get-Location", params: "PSProvider= PSDrive= Stack StackName=", do: func(*walker, *bound) value { return wordValue(Word{Text: "."}) }},
		{name: "New-TemporaryFile", do: func(w *walker, b *bound) value { return wordValue(temporary("$(New-TemporaryFile)")) }},
		{name: "Write-Output", params: "InputObject= NoEnumerate", places: "InputObject", do: (*walker).writeOutput},
		{name: "Write-Host", params: "Object= NoNewline Separator= ForegroundColor= BackgroundColor=", do: (*walker).silent},
		{name: "Out-Null", params: "InputObject=", do: (*walker).silent},
		{name: "Out-Host", params: "InputObject= Paging", do: (*walker).silent},
		{name: "Out-String", params: "InputObject= Width= Stream NoNewline", do: (*walker).passes},
		{name: "Sort-Object", params: "Property= InputObject= Descending Unique Culture= CaseSensitive Top= Bottom= Stable", places: "Property", do: (*walker).passes},
		{name: "Select-Object", params: "Property= InputObject= ExcludeProperty= ExpandProperty= Unique First= Last= Skip= SkipLast= Index= Wait", places: "Property", do: (*walker).passes},
		{name: "Where-Object", params: "Property= Value= FilterScript= InputObject= EQ NE Like NotLike Match NotMatch GT GE LT LE In NotIn Contains NotContains Is IsNot Not CEQ CLike CMatch", places: "", do: (*walker).whereObject},
		{name: "ForEach-Object", params: "Process= Begin= End= MemberName= ArgumentList= InputObject= Parallel= ThrottleLimit= TimeoutSeconds= AsJob", do: (*walker).forEachObject},
		{name: "Invoke-Command", params: "ScriptBlock= ComputerName= ArgumentList= FilePath= Session= Credential= InputObject= HostName= UserName= VMName= ContainerId= AsJob ConfigurationName= JobName= NoNewScope SSHTransport KeyFilePath=", places: "", do: (*walker).invokeCommand},
		{name: "Start-Job", params: "ScriptBlock= FilePath= ArgumentList= Name= Credential= InitializationScript= InputObject= RunAs32 WorkingDirectory=", places: "ScriptBlock", do: (*walker).invokeCommand},
		{name: "Start-ThreadJob", params: "ScriptBlock= FilePath= ArgumentList= Name= InitializationScript= ThrottleLimit=", places: "ScriptBlock", do: (*walker).invokeCommand},
		{name: "Invoke-Expression", params: "Command=", places: "Command", do: (*walker).invokeExpression},
		{name: "Start-Process", params: "FilePath= ArgumentList= Args= Verb= Wait NoNewWindow WindowStyle= WorkingDirectory= PassThru Credential= RedirectStandardOutput= RedirectStandardError= RedirectStandardInput= UseNewEnvironment LoadUserProfile Environment=", places: "FilePath ArgumentList", do: (*walker).startProcess},
		{name: "Invoke-Item", params: fileParams, places: "Path", do: (*walker).startProcess},
		{name: "Stop-Process", params: "Id= Name= InputObject= Force PassThru", places: "Id", do: (*walker).stopProcess},
		{name: "Get-Process", params: "Name= Id= ComputerName= Module FileVersionInfo IncludeUserName", places: "Name", do: (*walker).getProcess},
		{name: "Invoke-WebRequest", params: webParams, places: "Uri", do: (*walker).webRequest},
		{name: "Invoke-RestMethod", params: webParams + " FollowRelLink StatusCodeVariable= ResponseHeadersVariable=", places: "Uri", do: (*walker).webRequest},
		{name: "Start-BitsTransfer", params: "Source= Destination= Asynchronous DisplayName= Priority= TransferType= Credential=", places: "Source Destination", do: (*walker).webRequest},
		{name: "New-Object", params: "TypeName= ArgumentList= Property= ComObject= Strict", places: "TypeName ArgumentList", do: (*walker).createObject},
		{name: "Set-Variable", params: "Name= Value= Scope= Force Option= Visibility= PassThru", places: "Name Value", do: (*walker).setVariable},
		{name: "New-Variable", params: "Name= Value= Scope= Force Option= Visibility= PassThru", places: "Name Value", do: (*walker).setVariable},
		{name: "Get-Variable", params: "Name= ValueOnly Scope=", places: "Name", do: (*walker).getVariable},
		{name: "Set-Alias", params: "Name= Value= Scope= Force Option=", places: "Name Value", do: (*walker).setAlias},
		{name: "New-Alias", params: "Name= Value= Scope= Force Option=", places: "Name Value", do: (*walker).setAlias},
		{name: "Get-Command", params: "Name= CommandType= All Syntax Module=", places: "Name", do: (*walker).getCommand},
		{name: "Import-Module", params: "Name= Force Global", places: "Name", do: (*walker).importModule},
		{name: "New-ScheduledTaskAction", params: "Execute= Argument= WorkingDirectory= Id=", places: "Execute Argument", do: (*walker).startProcess},
		{name: "New-Service", params: "Name= BinaryPathName= DisplayName= StartupType= Description= DependsOn= Credential=", places: "Name BinaryPathName", do: (*walker).newService},
		{name: "Remove-ItemProperty", params: fileParams + "Name=", places: "Path Name", do: (*walker).itemProperty},
		{name: "Clear-ItemProperty", params: fileParams + "Name=", places: "Path Name", do: (*walker).itemProperty},
		{name: "Set-ItemProperty", params: fileParams + "Name= Value= Type= PropertyType=", places: "Path Name Value", do: (*walker).itemProperty},
		{name: "New-ItemProperty", params: fileParams + "Name= Value= PropertyType= Type=", places: "Path Name", do: (*walker).itemProperty},
		{name: "Expand-Archive", params: "Path= LiteralPath= DestinationPath= Force PassThru", places: "Path DestinationPath", do: (*walker).archive},
		{name: "Compress-Archive", params: "Path= LiteralPath= DestinationPath= CompressionLevel= Update Force PassThru", places: "Path DestinationPath", do: (*walker).archive},
		{name: "Invoke-Sqlcmd", params: "Query= InputFile= ServerInstance= Database= Username= Password= ConnectionString= TrustServerCertificate EncryptConnection OutputSqlErrors AbortOnError QueryTimeout= Variable= Credential=", places: "Query", do: (*walker).sqlcmd},
		{name: "Get-CimInstance", params: "ClassName= Filter= Query= Namespace= ComputerName= Property= KeyOnly CimSession= InputObject=", places: "ClassName", do: (*walker).getWMI},
		{name: "Get-WmiObject", params: "Class= Filter= Query= Namespace= ComputerName= Property= Credential= List", places: "Class", do: (*walker).getWMI},
		{name: "Remove-CimInstance", params: "InputObject= Query= Namespace= ComputerName= CimSession=", places: "InputObject", do: (*walker).removeWMI},
		{name: "Remove-WmiObject", params: "InputObject= Class= Path= ComputerName=", places: "InputObject", do: (*walker).removeWMI},
		{name: "Invoke-CimMethod", params: "ClassName= MethodName= Arguments= InputObject= ComputerName= Namespace= Query=", places: "ClassName MethodName Arguments", do: (*walker).invokeWMI},
		{name: "Invoke-WmiMethod", params: "Class= Name= ArgumentList= Path= InputObject= ComputerName=", places: "Class Name ArgumentList", do: (*walker).invokeWMI},
		{name: "Add-Type", params: "TypeDefinition= MemberDefinition= Path= AssemblyName= Name= Namespace= Language= PassThru", places: "TypeDefinition", do: (*walker).silent},
		{name: "Start-Sleep", params: "Seconds= Milliseconds= Duration=", places: "Seconds", do: (*walker).silent},
		{name: "Get-Date", params: "Date= Format= UFormat= Year= Month= Day=", places: "Date", do: (*walker).isUnknown},
		{name: "Compare-Object", params: "ReferenceObject= DifferenceObject= Property= SyncWindow= IncludeEqual ExcludeDifferent PassThru", places: "ReferenceObject DifferenceObject", do: (*walker).isUnknown},
		{name: "Set-Clipboard", params: "Value= Append Path=", places: "Value", do: (*walker).silent},
	}
}

const webParams = "Uri= OutFile= Method= Body= Headers= ContentType= UseBasicParsing Credential= UserAgent= TimeoutSec= SessionVariable= WebSession= Proxy= SkipCertificateCheck PassThru InFile= Form= MaximumRedirection= Certificate= " +
	"UseDefaultCredentials Authentication= Token= Resume DisableKeepAlive CustomMethod= SslProtocol= MaximumRetryCount= AllowUnencryptedAuthentication"
