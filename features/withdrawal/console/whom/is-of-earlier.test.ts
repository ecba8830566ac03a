import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepPreviousData, QueryClient, QueryObserver } from '@tanstack/react-query'
import { isOfEarlier } from './is-of-earlier.ts'

test('who is suggested can be taken by a key again once all that was typed is taken back', async () => {
  const asking = (word: string) => ({ queryKey: [word], queryFn: () => word, enabled: word !== '', placeholderData: keepPreviousData })
  const answer = new QueryObserver(new QueryClient(), asking(''))
  const isEarlierThan = (word: string) => isOfEarlier(word !== '', answer.getCurrentResult())
  const answered = Promise.withResolvers<void>()
  const end = answer.subscribe(({ isSuccess, isPlaceholderData }) => isSuccess && !isPlaceholderData && answered.resolve())
  assert.equal(isEarlierThan(''), false)
  answer.setOptions(asking('ann'))
  await answered.promise
  assert.equal(isEarlierThan('ann'), false)
  answer.setOptions(asking('ben'))
  assert.equal(isEarlierThan('ben'), true, 'these are still those of the word before')
  answer.setOptions(asking(''))
  assert.equal(isEarlierThan(''), false, 'no other answer comes')
  end()
})
