import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { usePermission } from '@holdfast/features/session/console'
import { Address, Button, type Column, DataTable, EmptyState, Label, PickField, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listBlackAddresses, removeBlackAddresses, saveBlackAddress } from '../contract.ts'

type Black = OutputOf<typeof listBlackAddresses>['list'][number]

/** Addresses that nothing is collected from and no fees are sent to. */
export function BlackList({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const mayWrite = usePermission('co_signer.write')
  const { data, error, refetch } = useEndpoint(listBlackAddresses, { wallet_id: walletId })
  const remove = useSend(removeBlackAddresses)
  const columns: Column<Black>[] = [
    { key: 'address', title: t('collect.black.address'), render: ({ address }) => <Address address={address} /> },
    { key: 'network', title: t('collect.network.name'), render: ({ network }) => network },
    { key: 'reason', title: t('collect.black.reason'), render: ({ reason }) => <Label text={reason || '--'} wrap /> },
    ...(mayWrite
      ? [
          {
            key: 'do',
            title: t('collect.rule.do'),
            hidesTitle: true,
            align: 'end' as const,
            render: ({ id }: Black) => (
              <Button size="small" onClick={() => remove.mutate({ wallet_id: walletId, ids: [id] })}>
                {t('collect.rule.removeDo')}
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <div className="hf-stack">
      <p className="hf-muted">{t('collect.black.lead')}</p>
      {mayWrite && <Add walletId={walletId} />}
      <DataTable
        label={t('collect.tab.black')}
        columns={columns}
        rows={data?.list}
        rowKey={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t('collect.black.none')} />}
      />
    </div>
  )
}

function Add({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const coins = useEndpoint(listOpenCoins, { wallet_id: walletId })
  const networks = coins.data?.open_main_chain ?? []
  const save = useSend(saveBlackAddress)
  const [chosen, setChain] = useState<string>()
  const [address, setAddress] = useState('')
  const [reason, setReason] = useState('')
  const chain = chosen ?? networks[0]?.chain
  const add = () => {
    if (chain === undefined) return
    const done = () => {
      setAddress('')
      setReason('')
    }
    save.mutate({ wallet_id: walletId, chain, address: address.trim(), reason: reason.trim() }, { onSuccess: done })
  }
  return (
    <form
      className="hf-collect-pair"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <PickField
        label={t('collect.network.name')}
        value={chain}
        options={networks.map((each) => ({ value: each.chain, label: each.network }))}
        onChange={setChain}
      />
      <TextField label={t('collect.black.address')} value={address} onChange={setAddress} maxLength={200} />
      <TextField label={t('collect.black.reason')} value={reason} onChange={setReason} count={200} />
      <div className="hf-row">
        <Button type="submit" disabled={address.trim() === ''} loading={save.isPending}>
          {t('collect.black.add')}
        </Button>
      </div>
    </form>
  )
}
