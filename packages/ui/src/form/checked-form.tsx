import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../base/button.tsx'
import { useDrawerPage } from '../drawer/drawer-context.ts'
import { DrawerFooter } from '../drawer/drawer-parts.tsx'

type Check<Order, Outcome> = { mutate(order: Order, options: { onSuccess(outcome: Outcome): void }): void; isPending: boolean }

/**
 * What the server says of an order before it is asked for. It holds for exactly what was checked: once something else is typed there is no outcome until that
 * is checked. `order` is undefined while something is missing.
 */
export function useChecked<Order, Outcome>(check: Check<Order, Outcome>, order: Order | undefined): { outcome: Outcome | undefined; preview: () => void } {
  const [checked, setChecked] = useState<{ key: string; outcome: Outcome }>()
  const key = JSON.stringify(order)
  return {
    outcome: checked !== undefined && checked.key === key ? checked.outcome : undefined,
    preview: () => {
      if (order !== undefined) check.mutate(order, { onSuccess: (outcome) => setChecked({ key, outcome }) })
    },
  }
}

type Step = { words: string; isOpen: boolean; isPending: boolean; act: () => void }

/** The foot of a form that is checked before it is sent: one button, which checks until there is an outcome and then sends. */
export function CheckedFooter({ isChecked, check, send }: { isChecked: boolean; check: Step; send: Step }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const { words, isOpen, isPending, act } = isChecked ? send : check
  return (
    <DrawerFooter>
      <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
      <Button variant="primary" disabled={!isOpen} loading={isPending} onClick={act}>
        {words}
      </Button>
    </DrawerFooter>
  )
}
