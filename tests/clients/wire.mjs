// SPDX-License-Identifier: MIT
// How four model APIs write one and the same turn: Anthropic Messages, OpenAI Responses, OpenAI chat completions and
// Gemini generateContent. Each dialect tells which requests are its own, which tools a request offers, what the model
// was told last, and how a turn {text, calls: [{id, name, input}]} is answered, whole or as a stream of events.
// Nothing here knows of scripts, files or sockets.

const usage_tokens = 16;

// ---- Anthropic Messages ----

function anthropic_blocks(turn) {
	const blocks = turn.text ? [{ type: "text", text: turn.text }] : [];
	return blocks.concat(turn.calls.map((call) => ({ type: "tool_use", id: `toolu_${call.id}`, name: call.name, input: call.input })));
}

function anthropic_message(turn, body, content) {
	return {
		id: `msg_${turn.id}`, type: "message", role: "assistant", model: body.model ?? "fake", content,
		stop_reason: turn.calls.length ? "tool_use" : "end_turn", stop_sequence: null,
		usage: { input_tokens: usage_tokens, output_tokens: usage_tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
	};
}

function anthropic_events(turn, body) {
	const events = [{ type: "message_start", message: { ...anthropic_message(turn, body, []), stop_reason: null } }];
	anthropic_blocks(turn).forEach((block, index) => {
		const is_text = block.type === "text";
		events.push({ type: "content_block_start", index, content_block: is_text ? { type: "text", text: "" } : { ...block, input: {} } });
		events.push({
			type: "content_block_delta", index,
			delta: is_text ? { type: "text_delta", text: block.text } : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
		});
		events.push({ type: "content_block_stop", index });
	});
	events.push({
		type: "message_delta", delta: { stop_reason: turn.calls.length ? "tool_use" : "end_turn", stop_sequence: null },
		usage: { output_tokens: usage_tokens },
	});
	events.push({ type: "message_stop" });
	return events.map((data) => ({ event: data.type, data }));
}

const anthropic = {
	name: "anthropic",
	owns: (path) => path.endsWith("/v1/messages"),
	is_stream: (path, body) => body.stream === true,
	tools: (body) => (body.tools ?? []).map((tool) => tool.name),
	told: (body) => text_of(since(body.messages, ({ role }) => role === "assistant")),
	whole: (turn, body) => anthropic_message(turn, body, anthropic_blocks(turn)),
	events: anthropic_events,
};

// ---- OpenAI Responses ----

function responses_items(turn) {
	const items = turn.text
		? [{ type: "message", role: "assistant", id: `msg_${turn.id}`, status: "completed", content: [{ type: "output_text", text: turn.text, annotations: [] }] }]
		: [];
	// A tool of a server has a namespace: mcp__SERVER.TOOL here.
	return items.concat(turn.calls.map((call) => ({
		type: "function_call", id: `fc_${call.id}`, call_id: `call_${call.id}`, name: call.name.split(".").at(-1),
		...(call.name.includes(".") && { namespace: call.name.split(".")[0] }), arguments: JSON.stringify(call.input), status: "completed",
	})));
}

function responses_whole(turn, body) {
	return {
		id: `resp_${turn.id}`, object: "response", status: "completed", model: body.model ?? "fake", output: responses_items(turn),
		usage: {
			input_tokens: usage_tokens, input_tokens_details: { cached_tokens: 0 }, output_tokens: usage_tokens,
			output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 * usage_tokens,
		},
	};
}

function responses_events(turn, body) {
	const whole = responses_whole(turn, body);
	const events = [{ type: "response.created", response: { ...whole, status: "in_progress", output: [] } }];
	whole.output.forEach((item, output_index) => {
		const begun = item.type === "message" ? { ...item, status: "in_progress", content: [] } : { ...item, arguments: "" };
		events.push({ type: "response.output_item.added", output_index, item: begun });
		if (item.type === "message")
			events.push({ type: "response.output_text.delta", item_id: item.id, output_index, content_index: 0, delta: turn.text });
		events.push({ type: "response.output_item.done", output_index, item });
	});
	events.push({ type: "response.completed", response: whole });
	return events.map((data, sequence_number) => ({ event: data.type, data: { ...data, sequence_number } }));
}

const responses = {
	name: "responses",
	owns: (path) => path.endsWith("/responses"),
	is_stream: (path, body) => body.stream === true,
	tools: (body) => (body.tools ?? []).map((tool) => tool.name ?? tool.type),
	told: (body) => text_of(typeof body.input === "string" ? body.input : since(body.input, ({ role, type }) => role === "assistant" || type === "function_call")),
	whole: responses_whole,
	events: responses_events,
};

// ---- OpenAI chat completions ----

function chat_calls(turn) {
	return turn.calls.map((call, index) => ({ index, id: `call_${call.id}`, type: "function", function: { name: call.name, arguments: JSON.stringify(call.input) } }));
}

function chat_frame(turn, body, object, choice, usage) {
	return { id: `chatcmpl-${turn.id}`, object, created: 1700000000, model: body.model ?? "fake", choices: choice ? [{ index: 0, ...choice }] : [], usage };
}

const chat_usage = { prompt_tokens: usage_tokens, completion_tokens: usage_tokens, total_tokens: 2 * usage_tokens };

const chat = {
	name: "chat",
	owns: (path) => path.endsWith("/chat/completions"),
	is_stream: (path, body) => body.stream === true,
	tools: (body) => (body.tools ?? []).map((tool) => tool.function?.name),
	told: (body) => text_of(since(body.messages, ({ role }) => role === "assistant")),
	whole: (turn, body) => chat_frame(turn, body, "chat.completion", {
		message: { role: "assistant", content: turn.text || null, ...(turn.calls.length ? { tool_calls: chat_calls(turn) } : {}) },
		finish_reason: turn.calls.length ? "tool_calls" : "stop",
	}, chat_usage),
	events: (turn, body) => [
		chat_frame(turn, body, "chat.completion.chunk", {
			delta: { role: "assistant", content: turn.text || null, ...(turn.calls.length ? { tool_calls: chat_calls(turn) } : {}) },
			finish_reason: null,
		}),
		chat_frame(turn, body, "chat.completion.chunk", { delta: {}, finish_reason: turn.calls.length ? "tool_calls" : "stop" }),
		chat_frame(turn, body, "chat.completion.chunk", null, chat_usage),
		"[DONE]",
	].map((data) => ({ data })),
};

// ---- Gemini generateContent ----

function gemini_whole(turn) {
	const parts = turn.text ? [{ text: turn.text }] : [];
	for (const call of turn.calls)
		parts.push({ functionCall: { id: call.id, name: call.name, args: call.input } });
	return {
		candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
		usageMetadata: { promptTokenCount: usage_tokens, candidatesTokenCount: usage_tokens, totalTokenCount: 2 * usage_tokens },
		modelVersion: "fake", responseId: `resp-${turn.id}`,
	};
}

const gemini = {
	name: "gemini",
	owns: (path) => /:(streamG|g)enerateContent$/.test(path),
	is_stream: (path) => path.endsWith(":streamGenerateContent"),
	tools: (body) => (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []).map((tool) => tool.name),
	told: (body) => text_of(since(body.contents, ({ role }) => role === "model")),
	whole: gemini_whole,
	events: (turn) => [{ data: gemini_whole(turn) }],
};

// What came after the model's last words.
function since(items = [], is_models) {
	return items.slice(items.findLastIndex(is_models) + 1);
}

// All text in a value, whatever it is wrapped in, in order.
export function text_of(value) {
	if (typeof value === "string")
		return value;
	if (Array.isArray(value))
		return value.map(text_of).filter(Boolean).join("\n");
	if (value && typeof value === "object")
		return ["text", "content", "parts", "output", "functionResponse", "response"].map((key) => text_of(value[key])).filter(Boolean).join("\n");
	return "";
}

export const dialects = [anthropic, responses, chat, gemini];
