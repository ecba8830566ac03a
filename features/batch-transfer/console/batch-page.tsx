import './batch.css'
import { useApi, useEndpoint, useSend } from '@holdfast/client'
import { coinOption } from '@holdfast/features/network/console'
import { useFiat } from '@holdfast/features/price/console'
import { usePermissionAnswer } from '@holdfast/features/session/console'
import { chosenOf, subWalletLabel, subWalletPath, useSelection, useWallets, walletLabel } from '@holdfast/features/wallet/console'
import { listCoinAssets } from '@holdfast/features/wallet/contract'
import { Button, downloadFile, EmptyState, ErrorState, FileField, LoadingState, MoneyMovesContext, PageHeader, PickField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { BATCH_FILE_BYTES_MAX, BATCH_LINES_MAX, downloadBatchTemplate, getBatch, uploadBatch } from '../contract.ts'
import { BatchLines } from './batch-lines.tsx'
import { BatchLinks } from './batch-links.tsx'
import { BatchPanel } from './batch-panel.tsx'

/** Pays many from a file: it is read and each line checked, then all of it is put before people as one order. */
export function BatchPage() {
  const { t } = useTranslation('tools')
  const mayAsk = usePermissionAnswer('batch.create')
  const [search, setSearch] = useSearchParams()
  const batchId = search.get('batch') ?? undefined
  return (
    <MoneyMovesContext value={true}>
      <PageHeader title={t('batch.title')}>{t('batch.lead', { most: BATCH_LINES_MAX })}</PageHeader>
      <div className="hf-stack">
        <BatchLinks />
        {mayAsk === true && <UploadForm onRead={(id) => setSearch({ batch: id })} />}
        {mayAsk === false && <EmptyState title={t('batch.notAllowed')} />}
        {batchId !== undefined && <Found key={batchId} batchId={batchId} />}
      </div>
    </MoneyMovesContext>
  )
}

/** From where and in what is paid, and the file. */
function UploadForm({ onRead }: { onRead: (batchId: string) => void }) {
  const { t } = useTranslation('tools')
  const { client } = useApi()
  const payers = usePayers()
  const [payerId, setPayerId] = useState<string>()
  const payer = payers.list && chosenOf(payers.list, ({ id }) => id, payerId ?? payers.inUseId)
  const { asked } = useFiat()
  const { data, error, refetch } = useEndpoint(listCoinAssets, { sub_wallet_id: payer?.id ?? '', ...asked }, { enabled: payer !== undefined })
  const coins = data?.list.filter((each) => each.enable_withdraw && (each.contract_address === null || !each.chain.startsWith('bip122:')))
  const [coinKey, setCoinKey] = useState<string>()
  const keyOf = (each: { chain: string; symbol: string }) => `${each.chain} ${each.symbol}`
  const coin = coins && chosenOf(coins, keyOf, coinKey)
  const upload = useSend(uploadBatch)
  const [file, setFile] = useState<File>()
  if (payers.error) return <ErrorState error={payers.error} onRetry={() => void payers.refetch()} />
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (payers.list?.length === 0) return <EmptyState drawing="coins" title={t('batch.noWallet')} />
  if (!payer || !coins) return <LoadingState rows={4} />
  if (!coin) return <EmptyState drawing="coins" title={t('batch.noCoin')} />
  const template = async () => {
    const { file_name: name, content } = await client.call(downloadBatchTemplate, { symbol: coin.symbol })
    downloadFile(name, new TextEncoder().encode(content))
  }
  const read = ({ batch_id: batchId }: { batch_id: string }) => {
    setFile(undefined)
    onRead(batchId)
  }
  const send = () => file && upload.mutate({ sub_wallet_id: payer.id, chain: coin.chain, symbol: coin.symbol, file }, { onSuccess: read })
  return (
    <div className="hf-panel hf-stack">
      <div className="hf-batch-head">
        <PickField
          label={t('batch.from')}
          value={payer.id}
          options={payers.list?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          onChange={setPayerId}
        />
        <PickField
          label={t('batch.coin')}
          value={keyOf(coin)}
          options={coins.map((each) => coinOption(keyOf(each), each.symbol, each))}
          onChange={setCoinKey}
        />
      </div>
      <p className="hf-muted">{t('batch.columns')}</p>
      <FileField key={upload.data?.batch_id} label={t('batch.upload')} accept=".csv,.xlsx" bytesMax={BATCH_FILE_BYTES_MAX} onFile={setFile} />
      <div className="hf-row">
        <Button variant="primary" disabled={!file} loading={upload.isPending} onClick={send}>
          {t('batch.check')}
        </Button>
        <Button onClick={() => void template()}>{t('batch.template')}</Button>
      </div>
    </div>
  )
}

/** The sub-wallets that can pay. */
function usePayers() {
  const { wallets, error, refetch } = useWallets()
  const { subWallet } = useSelection()
  const list = wallets
    ?.filter(({ state, retired }) => state === 'active' && !retired)
    .flatMap((wallet) =>
      wallet.sub_wallet_list.map((own) => ({
        id: own.sub_wallet_id,
        name: subWalletPath({ wallet_name: walletLabel(wallet), sub_wallet_name: subWalletLabel(own) }),
      })),
    )
  return { list, inUseId: subWallet?.id, error, refetch }
}

/** What was found in a file, or how far the batch is that was made of it. */
function Found({ batchId }: { batchId: string }) {
  const { data, error, refetch } = useEndpoint(getBatch, { batch_id: batchId })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />
  // What was looked for among the lines of a file is forgotten once people are asked.
  const isAsked = data.state !== 'checked'
  return (
    <>
      <BatchPanel batch={data} />
      <BatchLines key={String(isAsked)} batchId={batchId} symbol={data.symbol} isAsked={isAsked} />
    </>
  )
}
