// The plugin that `luahook install opencode` has written. It asks luahook before a tool runs, after it has run, and
// when a prompt comes in, and does what luahook answers. A tool that luahook can't be asked about doesn't run.
// `luahook install opencode --uninstall` takes it away.
import { spawn } from "node:child_process"

const command = "the command"
const patience = 60_000 // milliseconds
const largest = 64 << 20 // bytes of an answer
const observed = ["session.created", "session.deleted", "session.idle", "session.error", "session.compacted"]
const keys = ["deny", "args", "output", "prompt", "context", "status", "message"]

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value)

// run asks luahook about an event. It rejects unless luahook has answered as it should.
const run = (event, data, cwd) =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify({ ...data, cwd })
    const child = spawn(command[0], [...command.slice(1), "--event", event], { cwd, stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
    const out = [], notes = []
    let size = 0
    const fail = (why) => {
      clearTimeout(timer)
      child.kill("SIGKILL")
      child.stdout?.destroy() // what it has started may go on writing
      child.stderr?.destroy()
      reject(new Error(`luahook can't be asked about ${event}: ${why}`))
    }
    const timer = setTimeout(() => fail(`no answer within ${patience / 1000} s`), patience)
    const keep = (list) => (chunk) => {
      size += chunk.length
      if (size > largest) fail("the answer is too long")
      else list.push(chunk)
    }
    child.on("error", (error) => fail(error.message))
    child.stdout.on("data", keep(out))
    child.stderr.on("data", keep(notes))
    child.stdin.on("error", () => {}) // the exit status says whether luahook has read it
    child.stdin.end(text)
    child.on("close", (code, signal) => {
      const note = Buffer.concat(notes).toString().trim()
      if (code !== 0) return fail(`it ended with ${signal ?? `status ${code}`} ${note}`.trim())
      try {
        const answer = JSON.parse(Buffer.concat(out).toString().trim() || "{}")
        if (!isObject(answer)) throw new Error("an object is expected")
        const strange = Object.keys(answer).find((key) => !keys.includes(key))
        if (strange !== undefined) throw new Error(`unknown key ${strange}; install the plugin again`)
        clearTimeout(timer)
        resolve({ answer, note })
      } catch (error) {
        fail(`the answer can't be used: ${error.message}`)
      }
    })
  })

export const Luahook = async ({ client, directory }) => {
  // Neither of these is waited for, and where they fail there is nobody left to tell.
  const log = (level, message) => void client?.app?.log({ body: { service: "luahook", level, message } })?.catch?.(() => {})
  const show = (message) =>
    void client?.tui?.showToast({ body: { title: "luahook", message, variant: "info" } })?.catch?.(() => {})

  const ask = async (event, data) => {
    const { answer, note } = await run(event, data, directory)
    if (note) log("warn", note)
    if (answer.message !== undefined) show(String(answer.message))
    return answer
  }
  // of events that go on without an answer
  const askIfPossible = async (event, data) => {
    try {
      return await ask(event, data)
    } catch (error) {
      log("error", error.message)
      return undefined
    }
  }

  const before = async (input, output) => {
    const answer = await ask("tool.execute.before", { input, output })
    if (answer.deny !== undefined) throw new Error(String(answer.deny))
    if (answer.args === undefined) return
    const args = output.args
    if (!isObject(answer.args) || !isObject(args))
      throw new Error("luahook wants other arguments, and they can't be replaced")
    // opencode goes on with the object that it has made, whatever output.args is by now
    for (const key of Object.keys(args)) delete args[key]
    Object.assign(args, answer.args)
  }

  return {
    "tool.execute.before": async (input, output) => {
      await before(input, output)
      // batch runs calls of other tools, about which opencode asks no plugin
      const calls = input.tool === "batch" ? output.args?.tool_calls : undefined
      if (!Array.isArray(calls)) return
      for (const [i, call] of calls.entries())
        if (isObject(call)) await before({ ...input, tool: call.tool, callID: `${input.callID}/${i + 1}` }, { args: call.parameters })
    },

    "tool.execute.after": async (input, output) => {
      if (!output) return
      const answer = await askIfPossible("tool.execute.after", { input, output })
      if (answer?.output === undefined) return
      if (Array.isArray(output.content)) output.content = answer.output // of an MCP tool
      else output.output = answer.output
    },

    "permission.ask": async (input, output) => {
      const answer = await askIfPossible("permission.ask", { input, output })
      if (answer?.deny !== undefined) output.status = "deny"
      else if (answer?.status !== undefined && output.status !== "deny") output.status = answer.status
      else if (answer === undefined && output.status === "allow") output.status = "ask"
    },

    "chat.message": async (input, output) => {
      const answer = await askIfPossible("chat.message", { input, output })
      if (answer?.deny !== undefined) {
        show(String(answer.deny)) // opencode takes what is thrown for a failure of its own, and doesn't show it
        throw new Error(String(answer.deny))
      }
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      if (answer?.prompt !== undefined) texts.forEach((part, i) => (part.text = i === 0 ? answer.prompt : ""))
      if (answer?.context === undefined) return
      if (texts.length > 0) texts.at(-1).text += "\n\n" + answer.context
      else log("warn", "a prompt without text takes no context: " + answer.context)
    },

    event: async ({ event }) => {
      if (observed.includes(event.type)) await askIfPossible(event.type, { event })
    },
  }
}
