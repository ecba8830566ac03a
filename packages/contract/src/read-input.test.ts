import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { AppError } from './app-error.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { amountText, boolText, idListText, idText, jsonField, labelText, pageSize, totpText } from './field-types.ts'
import { readInput } from './read-input.ts'
import { sentenceOf } from './words/sentence-of.ts'

const endpoint = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/x',
  permission: 'public',
  summary: '',
  output: z.null(),
  input: z.object({
    id: idText,
    amount: amountText.optional(),
    page_size: pageSize,
    ids: idListText(2).optional(),
    urgent: boolText.optional(),
    name: labelText(5).optional(),
    kind: z.enum(['a', 'b']).optional(),
    code: totpText.optional(),
    rows: jsonField(z.array(z.object({ to: z.string().min(2) })).max(1)).optional(),
  }),
})
const id = '0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b'

test('every refused field is named with the reason, in both languages', () => {
  const cases: [Record<string, string>, string, string, RegExp][] = [
    [{}, 'id', 'it is required', /“id”：该项为必填。/],
    [{ id: '7' }, 'id', 'it must be an id (UUID)', /必须是有效的编号/],
    [{ id, amount: '1e5' }, 'amount', 'it must be a plain decimal number such as 12.5', /普通十进制/],
    [{ id, page_size: '999' }, 'page_size', 'it must be at most 200', /不能大于 200/],
    [{ id, page_size: '0' }, 'page_size', 'it must be at least 1', /不能小于 1/],
    [{ id, page_size: 'x' }, 'page_size', 'it must be a whole number', /必须是整数/],
    [{ id, ids: `${id},${id}` }, 'ids', 'an id was given twice', /编号重复/],
    [{ id, urgent: 'yes' }, 'urgent', 'it must be true or false', /true 或 false/],
    [{ id, name: '123456' }, 'name', 'it must have at most 5 characters', /最多 5 个字符/],
    [{ id, name: '' }, 'name', 'it must not be empty', /不能为空/],
    [{ id, kind: 'c' }, 'kind', 'it must be one of: a, b', /以下之一：a, b/],
    [{ id, code: '12' }, 'code', 'it must be the six digits of your authenticator app', /六位数字/],
    [{ id, rows: '{' }, 'rows', 'it must be JSON text', /JSON 文本/],
    [{ id, rows: '[{"to":"x"}]' }, 'rows.0.to', 'it must have at least 2 characters', /至少 2 个字符/],
    [{ id, rows: '[{"to":"xx"},{"to":"yy"}]' }, 'rows', 'it must have at most 1 entries', /最多 1 项/],
    [{ id, rows: '[{"to":5}]' }, 'rows.0.to', 'it is not in the expected form', /格式不正确/],
  ]
  for (const [fields, field, reason, chinese] of cases) {
    assert.throws(
      () => readInput(endpoint, fields),
      (error) => {
        assert.ok(error instanceof AppError)
        assert.deepEqual(error.details, { field, reason })
        assert.match(sentenceOf(error, 'en_US'), /^Check "/)
        assert.match(sentenceOf(error, 'zh_CN'), chinese)
        return true
      },
    )
  }
  assert.deepEqual(readInput(endpoint, { id }), { id, page_size: 20 })
})

test("what an order cannot be built for is said in the reader's language", () => {
  const told = (reason: string) => sentenceOf(new AppError('invalid_parameters', { details: { field: 'x', reason } }), 'zh_CN')
  assert.match(told('the fee can reach 0.1 ETH now, and the cap is 0.01 ETH'), /当前手续费可达 0\.1 ETH，而上限为 0\.01 ETH/)
  assert.match(told('a fee cap of 9 ETH is more than 20 times the fast fee'), /上限 9 ETH 超过快速档手续费的 20 倍/)
})
