package shell
import ("testing";"fmt";"os";"bufio";"strings")
func TestProbe(t *testing.T){
 f,err:=os.Open("/tmp/probe/cases.txt"); if err!=nil {t.Skip()}
 o,_:=os.Create("/tmp/probe/gen.txt"); defer o.Close()
 sc:=bufio.NewScanner(f); n:=0
 for sc.Scan(){ l:=sc.Text(); if strings.HasPrefix(l,"# ") {fmt.Fprintln(o,l);if l!="# only a comment"{continue}}
   n++
   fmt.Fprintf(o,"%s\n\t%s\n",l,show(Parse(l)))}
 fmt.Println(n)
}
