-- Prints the model and the tokens around each model call.
on("pre_model_call", { name = "model-usage" }, function(ev)
  print(("calling %s with %d messages"):format(ev.model, #ev.messages))
end)

on("post_model_call", { name = "model-usage" }, function(ev)
  local usage = ev.usage
  print(("%s used %d tokens in, %d out"):format(ev.model, usage.input_tokens, usage.output_tokens))
  return { data = { tokens = usage.input_tokens + usage.output_tokens } }
end)
