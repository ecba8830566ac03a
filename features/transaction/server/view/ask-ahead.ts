import { readKnownAddresses } from '@holdfast/features/known-address/server'
import { type Moment, pricesOf } from '@holdfast/features/price/server'
import { readNamedSubWallets } from '@holdfast/features/wallet/server'
import { known, RecentMap } from '@holdfast/units'
import { readFacts } from './read-facts.ts'
import { approvalsOf, depositRows, orderRows, readAllowanceSpends } from './read-rows.ts'
import type { Viewer } from './view-context.ts'

type Ids = readonly string[]

/** What a page of transactions asks the database. Each question depends on nothing but the viewer and what it is asked about. */
const QUESTIONS = {
  facts: ({ tx }: Viewer, ids: Ids) => readFacts(tx, ids),
  orders: ({ tx }: Viewer, ids: Ids) => orderRows(tx, ids),
  approvals: ({ tx }: Viewer, ids: Ids) => approvalsOf(tx, ids),
  deposits: ({ tx }: Viewer, ids: Ids) => depositRows(tx, ids),
  allowanceSpends: ({ tx }: Viewer, ids: Ids) => readAllowanceSpends(tx, ids),
  subWallets: ({ tx }: Viewer, ids: Ids) => readNamedSubWallets(tx, ids),
  addresses: (viewer: Viewer, addresses: Ids) => readKnownAddresses(viewer, addresses),
  quotes: ({ tx, fiat }: Viewer, moments: readonly Moment[]) => pricesOf(tx, moments, fiat),
}

type Questions = typeof QUESTIONS
type Name = keyof Questions
type About<N extends Name> = Parameters<Questions[N]>[1]
/** Asks one of the questions. */
export type Ask = <N extends Name>(name: N, about: About<N>) => ReturnType<Questions[N]>

/** Asks each question when it comes up. */
export const askWhenWanted =
  (viewer: Viewer): Ask =>
  (name, about) =>
    question(name)(viewer, about)

const question = <N extends Name>(name: N) => QUESTIONS[name] as (viewer: Viewer, about: About<N>) => ReturnType<Questions[N]>

/** What a question was about the last time, and whether it was about the same the time before. */
type Before = { about: About<Name>; text: string; isSteady: boolean }

const PAGES_MAX = 500
const pages = new RecentMap<string, Map<Name, Before>>(PAGES_MAX)

/**
 * Asks at once what the same page (`key`) asked the last times, so that it travels with the search for what is on the page. An answer is used only where the
 * question turns out to be about exactly the same; any other is asked when it comes up. A page that changed since the last time is not guessed at.
 */
export function askAhead(viewer: Viewer, key: unknown): Ask {
  const { tx, personId, fiat } = viewer
  const name = JSON.stringify([tx.orgId, personId, fiat, key])
  const before = pages.get(name) ?? new Map<Name, Before>()
  pages.set(name, before)
  const asked = new Map<Name, Promise<unknown>>()
  for (const [each, { about, isSteady }] of before) {
    if (!isSteady) continue
    const answer: Promise<unknown> = question(each)(viewer, about)
    // Whoever uses it gets the error, and the transaction ends by it either way.
    answer.catch(() => {})
    asked.set(each, answer)
  }
  return <N extends Name>(each: N, about: About<N>) => {
    const text = JSON.stringify(about)
    const isSame = before.get(each)?.text === text
    const answer = isSame && asked.has(each) ? known(asked.get(each), 'what was asked ahead') : question(each)(viewer, about)
    before.set(each, { about, text, isSteady: isSame || !before.has(each) })
    return answer as ReturnType<Questions[N]>
  }
}
