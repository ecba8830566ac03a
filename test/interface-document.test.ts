import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it, test } from 'node:test'
import type { OpenApiDocument } from '@holdfast/contract'
import { verifyExample } from '../features/notification/verify-example.ts'
import { clientCalls } from './open-client-calls.ts'
import { DOCUMENT, DOOR_DOCUMENT, doorDocument, interfaceDocument } from './interface-document.ts'

type Operation = { operationId: string; tags: string[]; 'x-refusals': string[] }

describe('the document of the interface', () => {
  let text: string
  let document: OpenApiDocument
  before(async () => {
    text = await interfaceDocument()
    document = JSON.parse(text) as OpenApiDocument
  })
  const call = (name: string): Operation => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[])
    const found = operations.find(({ operationId }) => operationId === name)
    assert.ok(found, name)
    return found
  }

  it('is checked in as it is: npm run openapi writes it', () => {
    assert.ok(readFileSync(new URL(`../${DOCUMENT}`, import.meta.url), 'utf8') === text, `${DOCUMENT} is not what the sources say: npm run openapi writes it`)
  })

  it('of what programs call is checked in as it is, too', () => {
    assert.ok(readFileSync(new URL(`../${DOOR_DOCUMENT}`, import.meta.url), 'utf8') === doorDocument(), `npm run openapi writes ${DOOR_DOCUMENT}`)
    for (const [path, text] of clientCalls(JSON.parse(doorDocument()) as OpenApiDocument))
      assert.ok(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8') === text, `npm run openapi writes ${path}`)
  })

  it('names a call and its feature as the code does', () => {
    assert.equal(call('createWithdrawal').tags[0], 'withdrawal')
    assert.equal(call('saveWebhookEndpoint').tags[0], 'notification')
  })

  it('says what a call refuses with, of its own code and of everything that its code calls', () => {
    for (const [name, ...refusals] of [
      // In the command, in another feature, in what the feature was handed, and before any code of the call.
      ['createWithdrawal', 'address_look_alike', 'insufficient_balance', 'wallet_retired', 'duplicate_request', 'open_token_stale'],
      ['saveWebhookEndpoint', 'too_many_receivers', 'totp_refused', 'not_permitted'],
      ['getReceipt', 'receipts_busy'],
    ] as const) {
      const said = call(name)['x-refusals']
      assert.deepEqual(
        refusals.filter((each) => !said.includes(each)),
        [],
        name,
      )
    }
    assert.deepEqual(call('listTodo')['x-refusals'], ['not_permitted', 'signed_out'], 'a call that only reads refuses nothing of its own')
  })

  it('says what is sent to webhooks, and by which headers it is verified', () => {
    const events = [
      'deposit',
      'withdraw',
      'speed_up',
      'cancellation',
      'consolidation',
      'stake',
      'authorization',
      'deposit_lift',
      'web3_trans',
      'batch',
      'collect',
      'fuel',
      'collection',
      'energy',
      'resource',
      'key',
      'test',
    ]
    assert.deepEqual(Object.keys(document.webhooks), events)
    assert.match(text, /"enum": \[[^\]]*"withdraw\.completed"/)
    assert.match(text, /X-Holdfast-Signature/)
  })

  it('refers only to what it holds', () => {
    const missing = [...text.matchAll(/"\$ref":\s*"#\/([^"]+)"/g)].filter(([, path = '']) => {
      const found = path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
      return found === undefined
    })
    assert.deepEqual([...new Set(missing.map(([whole]) => whole))], [])
  })
})

test('docs/api.md shows the program that the console shows for verifying a webhook', () => {
  const page = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')
  assert.ok(page.includes(verifyExample('0123456789abcdef', '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----')))
})
