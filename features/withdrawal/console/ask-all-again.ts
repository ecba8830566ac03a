import type { CallInput, OutputOf } from '@holdfast/contract'
import type { askAgain } from '../contract.ts'

type Answer = OutputOf<typeof askAgain>

/** Asks for all closed payments again, part by part, until none is left or there is no answer. What was refused, of all parts. */
export async function askAllAgain(ask: (input: CallInput<typeof askAgain>) => Promise<Answer | undefined>): Promise<Answer['refused']> {
  const refused: Answer['refused'] = []
  let answer = await ask({})
  while (answer) {
    refused.push(...answer.refused)
    answer = answer.next === null ? undefined : await ask({ after: answer.next })
  }
  return refused
}
