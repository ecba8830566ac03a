import { useApi } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { isDemoArrival } from '@holdfast/features/setup/console'
import { browserPorts } from '@holdfast/ports/browser'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { getFirstSteps } from '../contract.ts'
import { prepareDemo } from './prepare-demo.ts'

/** Takes the first steps of a demo: at once for whoever arrives from its founding, else when they ask for it. */
export function useDemoPreparation({ demo, steps }: OutputOf<typeof getFirstSteps>) {
  const { t } = useTranslation()
  const { client } = useApi()
  const { state } = useLocation()
  const mayMake = usePermission('wallet.create')
  const mayPay = usePermission('withdraw.create')
  const [standing, setStanding] = useState<'waits' | 'runs' | 'failed' | 'over'>('waits')
  const isOpen = demo && mayMake && mayPay && steps.some(({ name, done }) => name === 'ask' && !done)
  const prepare = () =>
    prepareDemo({ client, timer: browserPorts.timer }, { wallet: t('firstSteps.words.wallet'), remark: t('firstSteps.words.remark') }).then(
      () => setStanding('over'),
      () => setStanding('failed'),
    )
  const prepareNow = useEffectEvent(prepare)
  const isWanted = isOpen && standing === 'waits' && isDemoArrival(state)
  useEffect(() => {
    if (isWanted) void prepareNow()
  }, [isWanted])
  return {
    isRunning: standing === 'runs' || isWanted,
    hasFailed: standing === 'failed',
    canStart: isOpen && (standing === 'failed' || (standing === 'waits' && !isDemoArrival(state))),
    start: () => {
      setStanding('runs')
      void prepare()
    },
  }
}
