import type { KeyAlgorithm } from './form/read-public-key.ts'
import { wireBase } from './wire-base.ts'

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

/** A program that asks at door two which coins there are, and for a payment that is signed. */
export const wireExample = ({
  keyId,
  systemKey,
}: {
  keyId: string
  systemKey: string
}): string => `// Needs the public SDK whose wire this is. The private keys are in request.pem and sign.pem.
const { readFileSync } = require('node:fs')
const { MpcClient } = require('@chainup-custody/js-waas-sdk')

const client = MpcClient.newBuilder()
  .setDomain('${wireBase()}')
  .setAppId('${keyId}')
  .setRsaPrivateKey(readFileSync('request.pem', 'utf8'))
  .setSignPrivateKey(readFileSync('sign.pem', 'utf8'))
  .setWaasPublicKey('${systemKey}')
  .build()

client.getWorkSpaceApi().getCoinDetails().then(console.log)
// client.getWithdrawApi().withdraw({ request_id, sub_wallet_id, symbol, amount, address_to, need_transaction_sign: true })
`
