import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@holdfast/contract'
import fc from 'fast-check'
import { readParts } from './read-parts.ts'

async function* piecesOf(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = (body: Uint8Array, type: string, maxBytes = 1 << 20, size = 7) => readParts(piecesOf(body, size), type, maxBytes)
const refusal = (name: string) => (cause: unknown) => cause instanceof AppError && cause.errorName === name
const TYPE = 'multipart/form-data; boundary=B'
const by = (text: string) => read(new TextEncoder().encode(text), TYPE)

test('what a browser sends is read, however its bytes are cut', async () => {
  const key = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,20}$/)
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map((each) =>
    each
      .normalize('NFC')
      .replaceAll('\0', '')
      .replaceAll(/\r\n?|\n/g, '\r\n'),
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.constantFrom('\r\n', '\r\n--', '--\r\n\r\n').map((each) => new TextEncoder().encode(each)),
  )
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, text, { maxKeys: 5 }), bytes, fc.integer({ min: 1, max: 99 }), async (fields, content, size) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('the_file', new File([content as Uint8Array<ArrayBuffer>], 'rules "of" 归集.csv'))
      const sent = new Response(form)
      const { the_file: file, ...texts } = await read(new Uint8Array(await sent.arrayBuffer()), sent.headers.get('content-type')!, 1 << 20, size)
      assert.deepEqual({ ...texts }, { ...fields })
      assert.ok(file instanceof File)
      assert.deepEqual(new Uint8Array(await file.arrayBuffer()), content)
    }),
    { numRuns: 300 },
  )
})

test('a body that is too large is refused before the rest of it is read', async () => {
  let pulled = 0
  async function* endless(): AsyncIterable<Uint8Array> {
    yield new TextEncoder().encode('--B\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n')
    for (;;) {
      pulled++
      yield new Uint8Array(1000)
    }
  }
  await assert.rejects(readParts(endless(), TYPE, 10_000), refusal('body_too_large'))
  assert.ok(pulled < 12, String(pulled))
  const long = `--B\r\nContent-Disposition: form-data; name="t"\r\n\r\n${'x'.repeat(70_000)}\r\n--B--\r\n`
  await assert.rejects(by(long), refusal('body_too_large'), 'a text counts as in any form')
})

test('what is not in the form agreed is refused, and nothing of it is guessed', async () => {
  const part = (head: string, body = 'x') => `--B\r\n${head}\r\n\r\n${body}\r\n`
  const field = (name: string) => part(`Content-Disposition: form-data; name="${name}"`)
  assert.deepEqual({ ...(await by(`${field('a')}--B--`)) }, { a: 'x' })
  for (const body of [
    '',
    field('a'),
    `before\r\n${field('a')}--B--\r\n`,
    `${field('a')}--B--\r\nafter`,
    `${field('a')}${field('a')}--B--\r\n`,
    `${field('__proto__')}--B--\r\n`,
    `${field('a[b]')}--B--\r\n`,
    `${part('Content-Disposition: attachment; name="a"')}--B--\r\n`,
    `${part('Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"')}--B--\r\n`,
    `${part('Content-Type: text/plain')}--B--\r\n`,
    `${part('Content-Disposition: form-data; name="a"', 'a\0b')}--B--\r\n`,
    `${Array.from({ length: 201 }, (_, i) => field(`a${i}`)).join('')}--B--\r\n`,
    `--B\r\nX: ${'y'.repeat(3000)}\r\n\r\n`,
    `--B${field('a')}`,
  ]) {
    await assert.rejects(by(body), refusal('invalid_parameters'), JSON.stringify(body.slice(0, 80)))
  }
  await assert.rejects(read(Buffer.from([...Buffer.from(part('Content-Disposition: form-data; name="a"', '')), 0xff]), TYPE), refusal('invalid_parameters'))
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=a b',
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
  ]) {
    await assert.rejects(read(new Uint8Array(), type), refusal('unsupported_content'), type)
  }
})

test('no bytes at all do anything but be read or refused', async () => {
  const unit = fc.constantFrom('--B', '\r\n', '--', '\r', '\n', 'Content-Disposition: form-data; name="a"', '; filename="b"', 'x', '\0', '"', '\r\n\r\n')
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, maxLength: 12 }), async (text) => {
      await by(text).catch((cause) => assert.ok(cause instanceof AppError, String(cause)))
    }),
  )
})
