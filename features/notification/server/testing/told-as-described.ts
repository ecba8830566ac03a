import assert from 'node:assert/strict'
import { webhooks } from '../../webhook-contract.ts'

/** Demands that a body is, field by field, what the interface's document says of its event, and nothing more. */
export function demandToldAsDescribed(body: Record<string, unknown>): void {
  const about = String(body['event']).split('.')[0]
  const webhook = webhooks.find(({ event }) => event === about)
  assert.ok(webhook, `${String(body['event'])} is not described`)
  const { error } = webhook.body.strict().safeParse({ attempt: 1, ...body })
  assert.equal(error, undefined, `${String(body['event'])}: ${error?.message}`)
}
