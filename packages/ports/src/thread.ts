import { parentPort, Worker } from 'node:worker_threads'
import type { Thread, ThreadLimits } from './index.ts'

type Answer = { answer: unknown } | { fault: unknown }

/** See `Threads.open`. While nothing is asked the thread does not keep the program alive. */
export function openThread(module: URL, limits: ThreadLimits): Thread {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let before: Promise<unknown> = Promise.resolve()
  const end = () => {
    void worker?.terminate()
    worker = undefined
  }
  const start = () => {
    const made = new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes } })
    // A thread may also fail while nobody waits for it.
    made.on('error', () => undefined)
    made.on('exit', () => {
      if (worker === made) worker = undefined
    })
    return made
  }
  const askNow = async (question: unknown): Promise<unknown> => {
    clearTimeout(idle)
    const present = (worker ??= start())
    present.ref()
    try {
      const given = await answerOf(present, question, limits.longestMs)
      if ('fault' in given) throw given.fault
      return given.answer
    } finally {
      present.unref()
      idle = setTimeout(end, limits.idleMs).unref()
    }
  }
  const answerOf = (asked: Worker, question: unknown, longestMs: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const giveUp = (cause: Error) => {
        done()
        end()
        reject(cause)
      }
      const late = setTimeout(() => giveUp(new Error(`a thread gave no answer in ${longestMs} ms`)), longestMs)
      const exited = () => giveUp(new Error('a thread ended without an answer'))
      const answered = (message: Answer) => {
        done()
        resolve(message)
      }
      const done = () => {
        clearTimeout(late)
        asked.off('message', answered).off('error', giveUp).off('exit', exited)
      }
      asked.on('message', answered).on('error', giveUp).on('exit', exited)
      asked.postMessage(question)
    })
  return {
    ask: (question) => {
      const answer = before.then(() => askNow(question))
      before = answer.catch(() => undefined)
      return answer
    },
  }
}

/** Called once by the module of a thread: `answer` is given one question after another. */
export function answerInThread(answer: (question: unknown) => Promise<unknown>): void {
  if (!parentPort) throw new Error('this module answers in a thread only')
  const port = parentPort
  port.on('message', (question: unknown) => {
    answer(question).then(
      (given) => port.postMessage({ answer: given } satisfies Answer),
      (fault: unknown) => port.postMessage({ fault } satisfies Answer),
    )
  })
}
