import type { KeyAlgorithm } from './form/read-public-key.ts'

/** What the examples are about: where the console is, the id that programs name the key by, and what it signs with. */
export type ExampleOf = { origin: string; keyId: string; algorithm: KeyAlgorithm }

export const LANGUAGES = ['shell', 'javascript', 'python'] as const
export type ExampleLanguage = (typeof LANGUAGES)[number]

const PATH = '/open/v1/wallets'
const COVERED = '("@method" "@authority" "@path" "@query")'
const algName = (algorithm: KeyAlgorithm): string => (algorithm === 'P-256' ? 'ecdsa-p256-sha256' : 'ed25519')

/** OpenSSL writes a signature of P-256 in DER: its two numbers are taken out, 32 bytes each. */
const SHELL_SIGNATURE: Record<KeyAlgorithm, string> = {
  Ed25519: "SIGNATURE=$(openssl pkeyutl -sign -rawin -inkey key.pem -in base.txt | base64 | tr -d '\\n')",
  'P-256': `NUMBERS=$(openssl dgst -sha256 -sign key.pem base.txt | openssl asn1parse -inform DER | awk -F: '/INTEGER/ { n = $NF; while (length(n) < 64) n = "0" n; printf "%s", n }')
SIGNATURE=$(printf "$(printf %s "$NUMBERS" | sed 's/../\\\\x&/g')" | base64 | tr -d '\\n')`,
}

const shell = ({ origin, keyId, algorithm }: ExampleOf): string => `# Needs OpenSSL 3, bash and curl. The private key is in key.pem.
PARAMS='${COVERED}'";created=$(date +%s);nonce=\\"$(openssl rand -hex 16)\\";keyid=\\"${keyId}\\";alg=\\"${algName(algorithm)}\\""
printf '%s\\n' '"@method": GET' '"@authority": ${new URL(origin).host}' '"@path": ${PATH}' '"@query": ?' > base.txt
printf %s "\\"@signature-params\\": $PARAMS" >> base.txt
${SHELL_SIGNATURE[algorithm]}
curl -s '${origin}${PATH}' -H "Signature-Input: sig=$PARAMS" -H "Signature: sig=:$SIGNATURE:"
`

const NODE_SIGNATURE: Record<KeyAlgorithm, string> = {
  Ed25519: 'sign(null, Buffer.from(base), key)',
  'P-256': "sign('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' })",
}

const javascript = ({ origin, keyId, algorithm }: ExampleOf): string => `// Needs Node.js 20 or newer, and nothing else. The private key is in key.pem.
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

const key = createPrivateKey(readFileSync('key.pem'))
const params = \`${COVERED};created=\${Math.floor(Date.now() / 1000)};nonce="\${randomUUID()}";keyid="${keyId}";alg="${algName(algorithm)}"\`
const base = ['"@method": GET', '"@authority": ${new URL(origin).host}', '"@path": ${PATH}', '"@query": ?', \`"@signature-params": \${params}\`].join('\\n')
const signature = ${NODE_SIGNATURE[algorithm]}.toString('base64')
const answer = await fetch('${origin}${PATH}', { headers: { 'signature-input': \`sig=\${params}\`, signature: \`sig=:\${signature}:\` } })
console.log(await answer.json())
`

const PYTHON: Record<KeyAlgorithm, { imports: string; signature: string }> = {
  Ed25519: { imports: '', signature: 'signature = base64.b64encode(key.sign(base.encode())).decode()' },
  'P-256': {
    imports: `from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
`,
    signature: `r, s = decode_dss_signature(key.sign(base.encode(), ec.ECDSA(hashes.SHA256())))
signature = base64.b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()`,
  },
}

const python = ({ origin, keyId, algorithm }: ExampleOf): string => `# Needs Python 3 and the package cryptography. The private key is in key.pem.
import base64, secrets, time, urllib.request
${PYTHON[algorithm].imports}from cryptography.hazmat.primitives.serialization import load_pem_private_key

key = load_pem_private_key(open("key.pem", "rb").read(), password=None)
params = f'${COVERED};created={int(time.time())};nonce="{secrets.token_hex(16)}";keyid="${keyId}";alg="${algName(algorithm)}"'
base = "\\n".join(['"@method": GET', '"@authority": ${new URL(origin).host}', '"@path": ${PATH}', '"@query": ?', f'"@signature-params": {params}'])
${PYTHON[algorithm].signature}
headers = {"Signature-Input": f"sig={params}", "Signature": f"sig=:{signature}:"}
print(urllib.request.urlopen(urllib.request.Request("${origin}${PATH}", headers=headers)).read().decode())
`

const EXAMPLES: Record<ExampleLanguage, (of: ExampleOf) => string> = { shell, javascript, python }

/** A program that asks with a key which sub-wallets it may name: the smallest signed call (RFC 9421), ready to run beside the key's file. */
export const exampleIn = (language: ExampleLanguage, of: ExampleOf): string => EXAMPLES[language](of)

/** What the examples of door two are about: the address at which it begins, the id of the key, and the public key of the server, base64 of its SPKI. */
export type WireExampleOf = { base: string; keyId: string; systemKey: string }

/** The program of the public SDK stands beside those that need none. */
export const WIRE_LANGUAGES = [...LANGUAGES, 'sdk'] as const
export type WireExampleLanguage = (typeof WIRE_LANGUAGES)[number]

const WIRE_PATH = '/api/mpc/coin_list'
const pemLines = (key: string): string => ['-----BEGIN PUBLIC KEY-----', ...(key.match(/.{1,64}/g) ?? []), '-----END PUBLIC KEY-----'].join('\n')

const wireShell = ({ base, keyId, systemKey }: WireExampleOf): string => `# Needs OpenSSL 3, bash and curl. The private key of requests is in request.pem.
cat > system.pem << END
${pemLines(systemKey)}
END
# 234 bytes make a segment: a longer request is cut into several, and each is sealed by itself.
printf '{"time":%s000,"charset":"utf-8"}' "$(date +%s)" > request.json
DATA=$(openssl pkeyutl -sign -inkey request.pem -pkeyopt rsa_padding_mode:pkcs1 -in request.json | base64 | tr '/+' '_-' | tr -d '=\\n')
ANSWER=$(curl -s -G '${base}${WIRE_PATH}' -d 'app_id=${keyId}' -d "data=$DATA")
SEALED=$(printf %s "$ANSWER" | sed -n 's/.*"data" *: *"\\([A-Za-z0-9_-]*\\)".*/\\1/p' | tr '_-' '/+')
# What is refused because of who calls is answered in clear.
[ -n "$SEALED" ] || printf '%s\\n' "$ANSWER"
while [ $((\${#SEALED} % 4)) -ne 0 ]; do SEALED="$SEALED="; done
printf %s "$SEALED" | base64 -d > answer.bin
for ((at = 0; at * 256 < $(wc -c < answer.bin); at++)); do
  dd if=answer.bin bs=256 skip="$at" count=1 2> /dev/null | openssl pkeyutl -verifyrecover -pubin -inkey system.pem -pkeyopt rsa_padding_mode:pkcs1
done
`

const wireJavascript = ({
  base,
  keyId,
  systemKey,
}: WireExampleOf): string => `// Needs Node.js 20 or newer, and nothing else. The private key of requests is in request.pem.
import { createPrivateKey, createPublicKey, privateEncrypt, publicDecrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'

const key = createPrivateKey(readFileSync('request.pem'))
const systemKey = createPublicKey({ key: Buffer.from('${systemKey}', 'base64'), format: 'der', type: 'spki' })
const inPieces = (bytes, size, act) =>
  Buffer.concat(Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => act(bytes.subarray(i * size, (i + 1) * size))))
// PKCS#1 v1.5, which Node takes here: 234 bytes of text make a segment of 256.
const seal = (fields) => {
  const text = JSON.stringify({ ...fields, time: Date.now(), charset: 'utf-8' })
  return inPieces(Buffer.from(text), 234, (piece) => privateEncrypt(key, piece)).toString('base64url')
}
const open = (data) => JSON.parse(inPieces(Buffer.from(data, 'base64url'), 256, (piece) => publicDecrypt(systemKey, piece)).toString())

const query = new URLSearchParams({ app_id: '${keyId}', data: seal({}) })
const answer = await (await fetch(\`${base}${WIRE_PATH}?\${query}\`)).json()
// What is refused because of who calls is answered in clear.
console.log(typeof answer.data === 'string' ? open(answer.data) : answer)
`

const wirePython = ({
  base,
  keyId,
  systemKey,
}: WireExampleOf): string => `# Needs Python 3 and OpenSSL 3, and no package. The private key of requests is in request.pem.
import base64, json, subprocess, time, urllib.parse, urllib.request

with open("system.pem", "w") as file:
    file.write("""${pemLines(systemKey)}
""")

def in_pieces(content, size, *how):
    run = ["openssl", "pkeyutl", *how, "-pkeyopt", "rsa_padding_mode:pkcs1"]
    pieces = [content[at:at + size] for at in range(0, len(content), size)]
    return b"".join(subprocess.run(run, input=piece, capture_output=True, check=True).stdout for piece in pieces)

def seal(fields):
    text = json.dumps({**fields, "time": int(time.time() * 1000), "charset": "utf-8"})
    return base64.urlsafe_b64encode(in_pieces(text.encode(), 234, "-sign", "-inkey", "request.pem")).decode().rstrip("=")

def opened(data):
    content = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
    return json.loads(in_pieces(content, 256, "-verifyrecover", "-pubin", "-inkey", "system.pem"))

query = urllib.parse.urlencode({"app_id": "${keyId}", "data": seal({})})
answer = json.load(urllib.request.urlopen("${base}${WIRE_PATH}?" + query))
# What is refused because of who calls is answered in clear.
print(json.dumps(opened(answer["data"]) if isinstance(answer["data"], str) else answer))
`

const wireSdk = ({
  base,
  keyId,
  systemKey,
}: WireExampleOf): string => `// Needs the public SDK whose wire this is. The private keys are in request.pem and sign.pem.
const { readFileSync } = require('node:fs')
const { MpcClient } = require('@chainup-custody/js-waas-sdk')

const client = MpcClient.newBuilder()
  .setDomain('${base}')
  .setAppId('${keyId}')
  .setRsaPrivateKey(readFileSync('request.pem', 'utf8'))
  .setSignPrivateKey(readFileSync('sign.pem', 'utf8'))
  .setWaasPublicKey('${systemKey}')
  .build()

client.getWorkSpaceApi().getCoinDetails().then(console.log)
// client.getWithdrawApi().withdraw({ request_id, sub_wallet_id, symbol, amount, address_to, need_transaction_sign: true })
`

const WIRE_EXAMPLES: Record<WireExampleLanguage, (of: WireExampleOf) => string> = {
  shell: wireShell,
  javascript: wireJavascript,
  python: wirePython,
  sdk: wireSdk,
}

/** A program that asks at door two which coins there are, ready to run beside the file of the key of its requests. */
export const wireExampleIn = (language: WireExampleLanguage, of: WireExampleOf): string => WIRE_EXAMPLES[language](of)
