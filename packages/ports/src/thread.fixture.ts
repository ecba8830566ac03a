import { isMainThread, threadId } from 'node:worker_threads'
import { answerInThread } from './node.ts'

type Question = { do: 'double'; number: number } | { do: 'throw' | 'end' | 'hang' | 'where' }

// A module for the tests of threads.
if (!isMainThread) {
  answerInThread(async (question) => {
    const asked = question as Question
    if (asked.do === 'double') return asked.number * 2
    if (asked.do === 'where') return threadId
    if (asked.do === 'end') process.exit(3)
    if (asked.do === 'hang') await new Promise(() => undefined)
    throw new TypeError('not this one')
  })
}
