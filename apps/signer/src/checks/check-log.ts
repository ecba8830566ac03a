import { decode, equalBytes } from '@holdfast/encoding'
import { entryShape, leafHash, parseCheckpoint, verifyInclusion } from '@holdfast/log'
import type { SignRequest } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import type { Register } from '../state/register.ts'
import { readOr } from './read-or.ts'
import { Refused } from './refused.ts'

type Asked = Pick<SignRequest, 'checkpoint' | 'intent' | 'approvals' | 'logged'> & Partial<Pick<SignRequest, 'batch'>>
type Logged = SignRequest['logged'][number]

/**
 * c11: the order and every approval stand in the log, and the batch that people approved, where the order is a part of one; by a checkpoint this signer itself
 * has found consistent and signed.
 */
export function checkLog({ checkpoint: note, intent, approvals, logged, batch }: Asked, register: Register): void {
  const { checkpoint } = readOr('c11', 'the checkpoint', () => parseCheckpoint(note))
  const { genesis, size, root } = checkpoint
  if (!equalBytes(genesis, register.fingerprint)) throw new Refused('c11', 'the checkpoint is of another log')
  if (!register.checkpoints.some((own) => own.size === size && equalBytes(own.root, root))) {
    throw new Refused('c11', `this signer has not signed the checkpoint of size ${size}, or long ago`)
  }
  const check = (type: string, body: Uint8Array, each: Logged) => checkEntry(type, body, each, { size, root, fingerprint: register.fingerprint })
  const bodies = [intent, ...approvals]
  if (logged.length !== bodies.length) throw new Refused('c11', 'the log entries are not those of the order and its approvals')
  logged.forEach((each, i) => check(i === 0 ? 'intent' : 'approval', at(bodies, i), each))
  if (batch) check('intent', batch.intent, batch.logged)
}

type Tree = { size: number; root: Uint8Array; fingerprint: Uint8Array }

function checkEntry(expected: string, content: Uint8Array, { entry, index, proof }: Logged, { size, root, fingerprint }: Tree): void {
  const { genesis: owner, sequence, type, body } = readOr('c11', 'a log entry', () => decode(entryShape, entry))
  if (type !== expected || !equalBytes(body, content)) throw new Refused('c11', `log entry ${index} holds something else`)
  if (!equalBytes(owner, fingerprint) || sequence !== index) throw new Refused('c11', `log entry ${index} is out of place`)
  if (!verifyInclusion({ leaf: leafHash(entry), index: Number(index), size, root, proof }))
    throw new Refused('c11', `log entry ${index} is not in the checkpoint`)
}
