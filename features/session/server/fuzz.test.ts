import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, formEncode } from '@holdfast/contract'
import fc from 'fast-check'
import * as calls from '../contract.ts'
import { createDeviceKey, registerDevice, startTestConsole } from './testing/test-console.ts'

const endpoints = Object.values(calls).filter((each): each is Endpoint & typeof each => typeof each === 'object' && 'method' in each) as readonly Endpoint[]

/** Values that are right in form, at the border, or wrong in every way a caller can be wrong. */
const hostile = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.normalize('NFC').replaceAll('\0', '')),
  fc.stringMatching(/^[A-Za-z0-9_-]{43}$/),
  fc.stringMatching(/^[A-Za-z0-9_-]{86,87}$/),
  fc.stringMatching(/^\d{6}$/),
  fc.stringMatching(/^[0-9a-f]{64}$/),
  fc.uuid(),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('', 'true', 'null', '{}', '[]', "' or 1=1 --", '../../etc/passwd', '\u202e', 'a'.repeat(5_000), '😀'.repeat(300)),
  fc
    .record({
      id: fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/),
      rawId: fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/),
      type: fc.constant('public-key'),
      response: fc.dictionary(
        fc.constantFrom('clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle', 'transports'),
        fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{0,80}$/), fc.integer(), fc.constant(null)),
      ),
    })
    .map((value) => JSON.stringify(value)),
)

test('no call of a session, however wrong, makes the server fail or say more than it should', async (context) => {
  const { addOrganisation, addPerson, terminal, origin, log } = await startTestConsole(context, {
    limits: { perIp: { burst: 1e9, perSecond: 1e9 }, perAccount: { burst: 1e9, perSecond: 1e9 } },
  })
  const orgId = await addOrganisation()
  const { invite } = await addPerson(orgId, 'ada')
  const open = await addPerson(orgId, 'bob')
  const one = terminal()
  const key = createDeviceKey(origin)
  const { open_token: openToken } = await registerDevice(one, key, invite)
  const headers = {
    cookie: one.cookieJar.header() ?? '',
    'x-xsrf-token': one.cookieJar.get('XSRF-TOKEN') ?? '',
    opentoken: openToken,
    origin,
    'content-type': 'application/x-www-form-urlencoded',
  }
  /** A question that is open, so that what comes after it is reached too. */
  const challengeFor = async (endpoint: Endpoint): Promise<string | undefined> => {
    if (endpoint === calls.passkeyLogin) return (await one.call(calls.passkeyLoginOptions, {})).challenge_id
    if (endpoint === calls.passkeyRegister) return (await one.call(calls.passkeyRegisterOptions, { invite: open.invite })).challenge_id
    if (endpoint === calls.deviceLogin) return (await one.call(calls.deviceLoginOptions, {})).challenge_id
    if (endpoint === calls.deviceRegister) return (await one.call(calls.deviceRegisterOptions, { invite: open.invite })).challenge_id
    if (endpoint === calls.passwordRegister) return (await one.call(calls.passwordRegisterOptions, { invite: open.invite })).challenge_id
    return undefined
  }
  for (const endpoint of endpoints) {
    if (endpoint === calls.logout) continue
    const fields = fc.dictionary(fc.constantFrom(...Object.keys(endpoint.input.shape), 'extra'), hostile)
    await fc.assert(
      fc.asyncProperty(fields, fc.boolean(), async (input, isPlausible) => {
        const id = isPlausible ? await challengeFor(endpoint) : undefined
        const sent = {
          ...input,
          ...(id === undefined
            ? {}
            : {
                challenge_id: id,
                invite: open.invite,
                public_key: key.public_key,
                label: 'x',
                signature: 'A'.repeat(86),
                google_code: '000000',
              }),
        }
        const body = formEncode(sent)
        const response =
          endpoint.method === 'GET'
            ? await fetch(`${origin}${endpoint.path}?${body}`, { headers })
            : await fetch(origin + endpoint.path, { method: 'POST', headers, body })
        const text = await response.text()
        assert.ok(response.status < 500, `${endpoint.path} ${JSON.stringify(sent)} ${text} ${String(log.at(-1)?.cause)}`)
        assert.match(text, /^{"code":"\d+","msg":"/)
        assert.doesNotMatch(text, /\.ts:|node:|select |insert |kysely|violates|argon2/i)
      }),
      { numRuns: 25 },
    )
  }
})
