import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemErrors } from '@holdfast/contract'
import { calls, startTestServer, terminal } from '../test-server.ts'

const id = '0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b'

test('a file is handed in by who may, read after that is known, and refused where it is too large or goes to another call', async (context) => {
  const { server, addPerson, headersOf } = await startTestServer({ origin: undefined as never })
  context.after(() => server.close())
  const { origin } = await server.listen(0)
  const { client, cookieJar, setOpenToken } = terminal(origin)
  const [ada, eve] = [addPerson('ada'), addPerson('eve', [])]
  cookieJar.set('__Host-holdfast', ada.token)
  cookieJar.set('XSRF-TOKEN', ada.xsrf)
  setOpenToken(ada.openToken)
  const file = new File([new Uint8Array(70_000)], '规则.xlsx')
  assert.deepEqual(await client.call(calls.hand, { wallet_id: id, file }), { name: '规则.xlsx', bytes: 70_000 })
  await assert.rejects(client.call(calls.hand, { wallet_id: id, file: new File([new Uint8Array(150_000)], 'x') }), /at most 100000 bytes/)
  await assert.rejects(client.call(calls.hand, { wallet_id: id, file: new File([], 'x') }), /the file is empty/)
  const parts = (text: string) => `--B\r\nContent-Disposition: form-data; name="wallet_id"\r\n\r\n${text}\r\n--B--\r\n`
  const ask = async (person: typeof ada, url: string, payload: string) => {
    const headers = { ...headersOf(person), 'content-type': 'multipart/form-data; boundary=B' }
    const response = await server.inject({ method: 'POST', url, headers, payload })
    return response.json().code
  }
  assert.equal(await ask(ada, calls.hand.path, parts(id)), systemErrors.invalid_parameters.code)
  assert.equal(await ask(ada, calls.send.path, parts(id)), systemErrors.unsupported_content.code)
  assert.equal(await ask(ada, calls.hand.path, parts('x'.repeat(300_000))), systemErrors.body_too_large.code)
  assert.equal(await ask(eve, calls.hand.path, parts('x'.repeat(300_000))), systemErrors.not_permitted.code, 'nothing of it is read')
})
