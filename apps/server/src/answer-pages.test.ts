import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@holdfast/contract'
import { ApprovalRefused } from '@holdfast/policy'
import * as z from 'zod'
import { answerPages } from './answer-pages.ts'

test('the approval page hears a refusal in the language of whoever reads it, and of anything unforeseen no details', async () => {
  const reported: unknown[] = []
  const refuse = (cause: unknown) => async () => {
    throw cause
  }
  const calls = {
    'order.get': refuse(new AppError('state_changed')),
    'order.approve': refuse(new Error('SELECT secret')),
    'key.get': async (body: unknown) => z.object({ token: z.string() }).parse(body),
  }
  const answer = answerPages(
    calls,
    () => undefined,
    (cause) => void reported.push(cause),
  )
  for (const [language, isChinese] of [
    ['zh_CN', true],
    ['en_US', false],
    ['xx', false],
    [7, false],
  ] as const)
    for (const method of ['order.get', 'order.approve', 'key.get', 'nothing', 'toString']) {
      const { status, body } = await answer(method, { language })
      assert.ok(status >= 400, method)
      assert.equal(/[\u4e00-\u9fff]/.test((body as { error: string }).error), isChinese, `${language} ${method}`)
      assert.doesNotMatch(JSON.stringify(body), /SELECT/)
    }
  assert.equal(reported.length, 4)
  assert.deepEqual(await answer('key.get', { token: 't', language: 'zh_CN' }), { status: 200, body: { token: 't' } })
  assert.equal((await answer('order.get', null)).status, 400)
})

test('a refusal by the rules for signatures goes along by its code, which the page has words for', async () => {
  const cause = new ApprovalRefused({ code: 'approval-strange-key', given: { name: 'Ann' } })
  const refuse = async () => {
    throw new AppError('invalid_parameters', { cause, details: { field: 'approval', reason: cause.message } })
  }
  const answer = answerPages(
    { 'order.approve': refuse },
    () => undefined,
    () => undefined,
  )
  const { status, body } = await answer('order.approve', { language: 'zh_CN' })
  const { code, given } = body as { code: string; given: unknown }
  assert.deepEqual([status, code, given], [400, 'approval-strange-key', { name: 'Ann' }])
})
