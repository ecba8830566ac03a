/** A small program that checks a notification, as the console shows it to whoever writes an endpoint. A test runs it. */
export function verifyExample(keyId: string, publicKeyPem: string): string {
  return [
    'import { createPublicKey, verify } from "node:crypto"',
    '',
    `const KEYS = { "${keyId}": createPublicKey(\`${publicKeyPem.trim()}\`) }`,
    'const FIVE_MINUTES = 300_000',
    '',
    '// headers: names in lower case. raw: the bytes of the body, before anything reads them.',
    'export function isGenuine(headers, raw, nowMs) {',
    '  const key = KEYS[headers["x-holdfast-key-id"]]',
    '  const time = headers["x-holdfast-timestamp"]',
    '  const signature = Buffer.from(headers["x-holdfast-signature"] ?? "", "base64")',
    '  if (!key || !(Math.abs(nowMs - Number(time)) < FIVE_MINUTES)) return false',
    '  return verify(null, Buffer.concat([Buffer.from(`${time}.`), raw]), key, signature)',
    '}',
    '',
    '// Answer 200 once it is stored. Drop it where you know its notify_id,',
    '// or where its seq is not above the last one of the record `id`.',
  ].join('\n')
}
