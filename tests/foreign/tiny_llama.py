"""A real llama.cpp server with a model that is made on the spot.

The model is a chain of tokens: it has one layer that does nothing, so the last token alone decides the next one.
Its chat template ends the prompt with a token that begins one of four chains:

    the last message is a tool's result   -> "All done."
    the person's words hold "list"        -> a call of the tool `list`
    the person's words hold "forever"     -> words without end
    anything else                         -> "Hello world."

    python tiny_llama.py PORT      needs the packages gguf, numpy and xllamacpp
"""

import os
import sys
import tempfile
import time

import gguf
import numpy as np
import xllamacpp

TEMPLATE = """{%- if tools %}# Tools
You may call: <tools>
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}
</tools>
Answer with <tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>
{%- endif %}
{%- for message in messages %}
{%- if message.role == 'assistant' and message.tool_calls %}
<|im_start|>assistant
{{ message.content or '' }}
{%- for call in message.tool_calls %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>
{%- endfor %}<|im_end|>
{%- elif message.role == 'tool' %}
<|im_start|>user
<tool_response>
{{ message.content }}
</tool_response><|im_end|>
{%- else %}
<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
{%- if messages[-1].role == 'tool' %}
<|im_start|><|done|>
{%- elif 'list' in messages[-1].content %}
<|im_start|><|call|>
{%- elif 'forever' in messages[-1].content %}
<|im_start|><|loop|>
{%- else %}
<|im_start|><|talk|>
{%- endif %}
{%- endif %}"""

CHAINS = {
    "<|done|>": ["All ", "done.", "<|im_end|>"],
    "<|call|>": ["<tool_call>", '\n{"name": "list"', ', "arguments": ', '{"path": "."}', "}", "\n</tool_call>", "<|im_end|>"],
    "<|loop|>": ["again ", "and ", "again "],
    "<|talk|>": ["Hello ", "world", ".", "<|im_end|>"],
}


def make(path, width=320):
    pieces = ["<unk>", "<s>", "<|im_end|>", "<|im_start|>", *CHAINS]
    kinds = [gguf.TokenType.UNKNOWN] + [gguf.TokenType.CONTROL] * (len(pieces) - 1)
    pieces += [f"<0x{byte:02X}>" for byte in range(256)]
    kinds += [gguf.TokenType.BYTE] * 256
    for chain in CHAINS.values():
        for word in chain:
            if word not in pieces:
                pieces.append(word)
                kinds.append(gguf.TokenType.USER_DEFINED)
    count = len(pieces)
    assert count <= width
    number = {piece: at for at, piece in enumerate(pieces)}
    embedding = np.zeros((count, width), np.float32)
    embedding[np.arange(count), np.arange(count)] = 1
    output = np.zeros((count, width), np.float32)
    for begin, chain in CHAINS.items():
        for before, after in zip([begin, *chain], chain):
            output[number[after], number[before]] = 20
    zeros = lambda *shape: np.zeros(shape, np.float32)
    file = gguf.GGUFWriter(path, "llama")
    file.add_name("tiny")
    file.add_context_length(65536)
    file.add_embedding_length(width)
    file.add_block_count(1)
    file.add_feed_forward_length(32)
    file.add_head_count(4)
    file.add_head_count_kv(4)
    file.add_layer_norm_rms_eps(1e-5)
    file.add_rope_dimension_count(width // 4)
    file.add_vocab_size(count)
    file.add_tokenizer_model("llama")
    file.add_token_list(pieces)
    file.add_token_scores([0.0] * count)
    file.add_token_types(kinds)
    file.add_bos_token_id(number["<s>"])
    file.add_eos_token_id(number["<|im_end|>"])
    file.add_unk_token_id(0)
    file.add_add_bos_token(False)
    file.add_chat_template(TEMPLATE)
    file.add_tensor("token_embd.weight", embedding)
    file.add_tensor("output_norm.weight", np.ones(width, np.float32))
    file.add_tensor("output.weight", output)
    block = "blk.0."
    file.add_tensor(block + "attn_norm.weight", np.ones(width, np.float32))
    file.add_tensor(block + "ffn_norm.weight", np.ones(width, np.float32))
    for name in ["attn_q", "attn_k", "attn_v", "attn_output"]:
        file.add_tensor(f"{block}{name}.weight", zeros(width, width))
    file.add_tensor(block + "ffn_gate.weight", zeros(32, width))
    file.add_tensor(block + "ffn_up.weight", zeros(32, width))
    file.add_tensor(block + "ffn_down.weight", zeros(width, 32))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def main():
    path = os.path.join(tempfile.mkdtemp(), "tiny.gguf")
    make(path)
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.hostnames = ["127.0.0.1"]
    params.port = int(sys.argv[1])
    params.n_ctx = 32768
    params.n_parallel = 2
    params.use_jinja = True
    server = xllamacpp.Server(params)
    print("serving", server.listening_address, flush=True)
    while True:
        time.sleep(3600)


main()
