import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { fromHex, toHex } from '@holdfast/encoding'
import { type Message, readSignature } from '@holdfast/http-signatures'
import { isSignedByScreener, SCREENING_LEVELS, screeningMessage } from '@holdfast/intent'
import fc from 'fast-check'
// @ts-expect-error -- the example is plain JavaScript, as integrators have it
import { call, encodeWord, levelOf, readList, screenOnce } from '../../../docs/examples/screen-payments.mjs'
import { isCallSigned } from './open-door.ts'
import { openScreen } from '../open-contract.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const publicBytes = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('the example signs the very bytes that signers check, whatever it says', () => {
  fc.assert(
    fc.property(hash, hash, hash, fc.string({ maxLength: 20, unit: 'grapheme' }), fc.constantFrom(...SCREENING_LEVELS), fc.maxSafeNat(), (...given) => {
      const [genesis, intentHash, reportHash, provider, level, at] = given
      const whole = provider.normalize('NFC')
      const own = encodeWord({
        ...{ organisation: toHex(genesis), order_hash: toHex(intentHash), report_hash: toHex(reportHash) },
        ...{ machine: 'lists', provider: whole, level, screened_at: at },
      })
      const message = screeningMessage({ genesis, intentHash, machine: 'lists', provider: whole, level, screenedAtMs: BigInt(at), reportHash })
      assert.equal(own.toString('hex'), toHex(message))
    }),
  )
})

test('the example calls what is on its list severe, in whatever case it is written, and all else low', () => {
  const list = readList('# known thieves\n\n0xAbCd\nTXyz\n')
  const pays = (...to: string[]) => ({ pays: to.map((each) => ({ to: each, amount: '1', memo: null })) })
  assert.equal(levelOf(pays('0xabcd'), list), 'severe')
  assert.equal(levelOf(pays('0x1', 'TXyz'), list), 'severe')
  assert.equal(levelOf(pays('txyz'), list), 'low')
  assert.equal(levelOf(pays('0x1'), list), 'low')
})

test('the example lists what waits and hands in a word of each, signed as the door and signers check it', async () => {
  const organisation = toHex(new Uint8Array(32).fill(5))
  const order_hash = toHex(new Uint8Array(32).fill(6))
  const taken: unknown[] = []
  const strange: string[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const [path = '', query = ''] = (request.url ?? '').split('?')
      const message = { method: request.method ?? '', authority: request.headers.host ?? '', path, query, headers: request.headers as Record<string, string> }
      if (!isWellSigned(message)) strange.push(path)
      const given = Object.fromEntries(new URLSearchParams(Buffer.concat(pieces).toString()))
      if (request.method === 'POST') taken.push(openScreen.input.parse(given))
      const data = request.method === 'GET' ? { organisation, list: [{ order_id: 'one', order_hash, pays: [{ to: '0xBAD', amount: '1', memo: null }] }] } : {}
      response.end(JSON.stringify({ code: path.endsWith('refused') ? '210003' : '0', msg: '', data }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const settings = { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keyId: 'org.lists', key: privateKey }
    assert.deepEqual(await screenOnce(settings, readList('0xbad'), 1_767_571_200_000), [{ order_id: 'one', level: 'severe' }])
    const [word] = taken as [{ provider: string; level: string; screened_at: number; report_hash: string; signature: string }]
    const said = {
      ...{ genesis: fromHex(organisation), intentHash: fromHex(order_hash), machine: 'lists', provider: word.provider, level: word.level },
      ...{ screenedAtMs: BigInt(word.screened_at), reportHash: fromHex(word.report_hash) },
    }
    assert.ok(isSignedByScreener({ ...said, signature: fromHex(word.signature) }, publicBytes))
    await assert.rejects(call(settings, 'GET', '/refused'), /210003/)
    assert.deepEqual(strange, [])
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

function isWellSigned(message: Message): boolean {
  try {
    return isCallSigned(readSignature(message, message.method === 'POST'), publicBytes)
  } catch {
    return false
  }
}
