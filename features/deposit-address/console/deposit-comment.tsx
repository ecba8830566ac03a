import { usePermission } from '@holdfast/features/session/console'
import { Button, confirm, CopyButton, Note, useDrawers } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { createDepositComment } from '../contract.ts'

/** What an address needs besides itself where payers share it: a comment, and a link that has both. */
export type SharedPart = { memo: string | null; payment_link: string | null }

/** The comment of a shared address, with a button that copies it. */
export function CommentText({ comment }: { comment: string }) {
  const { t } = useTranslation()
  return (
    <span className="hf-address">
      <span className="hf-mono" translate="no">
        {comment}
      </span>
      <CopyButton text={comment} label={t('depositAddress.memoCopy')} message={t('depositAddress.memoCopied')} />
    </span>
  )
}

/** The comment of a shared address where it is told to a payer: as needed as the address. */
export function DepositComment({ comment }: { comment: string }) {
  const { t } = useTranslation()
  return (
    <div className="hf-deposit-address">
      <p className="hf-small hf-muted">{t('depositAddress.memo')}</p>
      <CommentText comment={comment} />
      <Note tone="bad">{t('depositAddress.memoWarning')}</Note>
    </div>
  )
}

type NewCommentProps = { subWalletId: string; chain: string; isFirst: boolean }

/** Makes one more comment. The first makes an address shared, which is asked about: payers who have the address already know of none. */
export function NewComment({ subWalletId, chain, isFirst }: NewCommentProps) {
  const { t } = useTranslation()
  const mayMake = usePermission('address.create')
  const drawers = useDrawers()
  const send = useSend(createDepositComment)
  if (!mayMake) return null
  const words = t(isFirst ? 'depositAddress.memoShare' : 'depositAddress.memoNew')
  const make = async () => {
    const question = { type: 'warning', title: t('depositAddress.memoShareTitle'), content: t('depositAddress.memoShareNote'), confirmText: words } as const
    if (isFirst && (await confirm(drawers, question)).outcome === 'cancel') return
    send.mutate({ sub_wallet_id: subWalletId, chain })
  }
  return (
    <Button loading={send.isPending} onClick={() => void make()}>
      {words}
    </Button>
  )
}
