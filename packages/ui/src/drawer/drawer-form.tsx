import type { FormEvent, ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../base/button.tsx'
import { useDrawerPage } from './drawer-context.ts'
import { DrawerBody, DrawerFooter } from './drawer-parts.tsx'

type DrawerFormProps = {
  send: string
  isSending?: boolean
  isShut?: boolean
  /** Of the button that sends it; primary where absent. */
  variant?: 'primary' | 'danger'
  /** Where fields are looked for that are not right. */
  form?: Ref<HTMLFormElement>
  onSend(event: FormEvent<HTMLFormElement>): void
  children: ReactNode
}

/** A form that fills a drawer page: what it asks for scrolls, and at its foot are the way out and the one button that sends it, which takes no press while `isShut`. */
export function DrawerForm({ send, isSending = false, isShut = false, variant = 'primary', form, onSend, children }: DrawerFormProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  return (
    <form
      ref={form}
      className="hf-drawer-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSend(event)
      }}
    >
      <DrawerBody>{children}</DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant={variant} type="submit" loading={isSending} disabled={isShut}>
          {send}
        </Button>
      </DrawerFooter>
    </form>
  )
}
