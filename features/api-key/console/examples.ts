import { wireBase } from './wire-base.ts'
/** What the examples are about: where the console is, and the id that programs name the key by. */
export type ExampleOf = { origin: string; keyId: string }

export const LANGUAGES = ['shell', 'javascript', 'python'] as const
export type ExampleLanguage = (typeof LANGUAGES)[number]

const PATH = '/open/v1/wallets'
const COVERED = '("@method" "@authority" "@path" "@query")'

const shell = ({ origin, keyId }: ExampleOf): string => `# Needs OpenSSL 3 and curl. The private key is in key.pem.
PARAMS='${COVERED}'";created=$(date +%s);nonce=\\"$(openssl rand -hex 16)\\";keyid=\\"${keyId}\\";alg=\\"ed25519\\""
printf '%s\\n' '"@method": GET' '"@authority": ${new URL(origin).host}' '"@path": ${PATH}' '"@query": ?' > base.txt
printf %s "\\"@signature-params\\": $PARAMS" >> base.txt
SIGNATURE=$(openssl pkeyutl -sign -rawin -inkey key.pem -in base.txt | base64 | tr -d '\\n')
curl -s '${origin}${PATH}' -H "Signature-Input: sig=$PARAMS" -H "Signature: sig=:$SIGNATURE:"
`

const javascript = ({ origin, keyId }: ExampleOf): string => `// Needs Node.js 20 or newer, and nothing else. The private key is in key.pem.
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

const key = createPrivateKey(readFileSync('key.pem'))
const params = \`${COVERED};created=\${Math.floor(Date.now() / 1000)};nonce="\${randomUUID()}";keyid="${keyId}";alg="ed25519"\`
const base = ['"@method": GET', '"@authority": ${new URL(origin).host}', '"@path": ${PATH}', '"@query": ?', \`"@signature-params": \${params}\`].join('\\n')
const signature = sign(null, Buffer.from(base), key).toString('base64')
const answer = await fetch('${origin}${PATH}', { headers: { 'signature-input': \`sig=\${params}\`, signature: \`sig=:\${signature}:\` } })
console.log(await answer.json())
`

const python = ({ origin, keyId }: ExampleOf): string => `# Needs Python 3 and the package cryptography. The private key is in key.pem.
import base64, secrets, time, urllib.request
from cryptography.hazmat.primitives.serialization import load_pem_private_key

key = load_pem_private_key(open("key.pem", "rb").read(), password=None)
params = f'${COVERED};created={int(time.time())};nonce="{secrets.token_hex(16)}";keyid="${keyId}";alg="ed25519"'
base = "\\n".join(['"@method": GET', '"@authority": ${new URL(origin).host}', '"@path": ${PATH}', '"@query": ?', f'"@signature-params": {params}'])
signature = base64.b64encode(key.sign(base.encode())).decode()
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
