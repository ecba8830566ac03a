import { SessionContext } from '@holdfast/features/session/console'
import { RecordPartsContext } from '@holdfast/features/transaction/console'
import { PaymentFormsContext, SelectionContext } from '@holdfast/features/wallet/console'
import { ApiContext, refreshAll } from '@holdfast/client'
import { DrawerContext, ThemeProvider, ToastContext } from '@holdfast/ui'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { I18nextProvider } from 'react-i18next'
import { BrowserRouter } from 'react-router'
import { ErrorBoundary } from './error-boundary.tsx'
import { Root } from './root.tsx'
import { ConnectionNotice } from './screens/connection-notice.tsx'
import { FailureScreen } from './screens/failure-screen.tsx'
import { useUncaughtError } from './screens/use-uncaught-error.ts'
import { recordParts } from './lazy-record-parts.ts'
import { paymentForms } from './payment-forms.ts'
import type { Services } from './services.ts'
import { ServicesContext } from './services-context.ts'

/** The whole console: what it works with, around its pages. */
export function App({ services }: { services: Services }) {
  const uncaught = useUncaughtError(services.connection)
  useFreshWords(services)
  return (
    <Providers services={services}>
      {uncaught ? (
        <FailureScreen error={uncaught.error} />
      ) : (
        <ErrorBoundary>
          <BrowserRouter>
            <Root />
          </BrowserRouter>
        </ErrorBoundary>
      )}
      <ConnectionNotice connection={services.connection} />
    </Providers>
  )
}

function Providers({ services, children }: { services: Services; children: ReactNode }) {
  const { client, presence, pages } = services
  const api = useMemo(() => ({ client, presence, pages }), [client, presence, pages])
  return (
    <ServicesContext value={services}>
      <I18nextProvider i18n={services.translation}>
        <QueryClientProvider client={services.queries}>
          <ApiContext value={api}>
            <SessionContext value={services.session}>
              <SelectionContext value={services.selection}>
                <PaymentFormsContext value={paymentForms}>
                  <RecordPartsContext value={recordParts}>
                    <ToastContext value={services.toaster}>
                      <DrawerContext value={services.drawers}>
                        <ThemeProvider>{children}</ThemeProvider>
                      </DrawerContext>
                    </ToastContext>
                  </RecordPartsContext>
                </PaymentFormsContext>
              </SelectionContext>
            </SessionContext>
          </ApiContext>
        </QueryClientProvider>
      </I18nextProvider>
    </ServicesContext>
  )
}

/** What the server wrote in the other language is asked for again when the language changes. */
function useFreshWords({ translation, queries }: Services): void {
  useEffect(() => {
    const refresh = () => void refreshAll(queries)
    translation.on('languageChanged', refresh)
    return () => translation.off('languageChanged', refresh)
  }, [translation, queries])
}
