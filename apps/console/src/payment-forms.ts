import type { PaymentForms } from '@holdfast/features/console-feature'

/** The forms of payments, from the feature that brings them; asked for when one is opened, so that the sign-in page knows of none. */
async function brought(): Promise<PaymentForms> {
  const forms = (await import('./features.ts')).features.find((each) => each.paymentForms)?.paymentForms
  if (!forms) throw new Error('no feature of the console brings the forms of payments')
  return forms
}

export const paymentForms: PaymentForms = {
  pay: async () => (await brought()).pay(),
  sendInscription: async () => (await brought()).sendInscription(),
}
