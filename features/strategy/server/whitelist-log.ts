import { answerPage } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { listWhitelistChanges } from '@holdfast/features/address-book/server'
import type { ServerContext } from '@holdfast/features/context'
import { strategyWords } from '@holdfast/features/rule-draft/server'
import type { MemberContext } from '@holdfast/http'

type Asked = {
  user?: string | undefined
  start_time?: number | undefined
  end_time?: number | undefined
  page_no: number
  page_size: number
}

/** What was changed of the whitelist, in the rows of the log of strategies. Its versions are its own, and are restored at the address book. */
export async function readWhitelistLog(tx: OrganisationTx, context: ServerContext, { language, personId }: MemberContext, asked: Asked) {
  const { pageTotal, list } = await listWhitelistChanges({ tx, context, language, personId }, context.networks, asked)
  const { separator } = strategyWords[language]
  const rows = list.map(({ id, created_at: at, initiator: user, title, state, need, approved, rejected, reason, version, can_restore, changes }) => {
    const diff = changes.map(({ kind, entry_id: entry, name, address, networks, memo }) => {
      const words = [address, ...networks, ...(memo === null || memo === '' ? [] : [memo])].join(separator)
      return { path: `address_book/${entry}`, name, old: kind === 'remove' ? words : null, new: kind === 'add' ? words : null }
    })
    return {
      id,
      at,
      user,
      action: actionOf(changes),
      target: diff.map(({ name }) => name).join(separator),
      lines: [title],
      diff,
      // Signers follow a change of the whitelist; of the policy that is called applied.
      flow: { state: state === 'followed' ? ('applied' as const) : state, nodes: [{ need, approved, rejected }] },
      reason,
      version,
      can_restore,
    }
  })
  return answerPage(asked, pageTotal, rows)
}

function actionOf(changes: readonly { kind: 'add' | 'remove' }[]): 'create' | 'delete' | 'update' {
  if (changes.every(({ kind }) => kind === 'add')) return 'create'
  return changes.every(({ kind }) => kind === 'remove') ? 'delete' : 'update'
}
