// Package mcphook puts Model Context Protocol tools under luahook's hooks: those that a server of
// github.com/modelcontextprotocol/go-sdk offers ([Server]), those that a client calls
// ([Client]), or those between a client and a server that can't be changed ([Gate]).
//
//	server.AddReceivingMiddleware(mcphook.Server(e))
//
// # What hooks see of a result
//
// The output of post_tool_call is the result's structured content where its text says the same or
// nothing, else its text. Where both are there and differ, it is an object with content, the text,
// and structured_content; an answer of the same form puts each in its place. Images, audio and
// binary resources are a line in the text that says how large they are: hooks don't see their
// bytes. What a hook puts in place of the output replaces all of the result. A text in place of
// structured content that was an object makes the result an error, because clients refuse a
// result that lacks what the tool's schema promises.
//
// # Which tools are offered
//
// A hook of pre_tool_selection gets tools, a list of {name, title, description, input_schema,
// output_schema, annotations}, with the names that tool calls have. Its answer's tools are those
// that stay, in that order: a name, for a tool as it is, or an object with the name and the whole
// definition to be offered; what it lacks the tool has no more. A tool that it names wrongly, twice,
// or with a definition that is none, isn't offered, and [WithMessages] is warned. A deny offers no tools. A tool that isn't offered can still be called:
// what must not run needs a hook of pre_tool_call.
package mcphook
