/** What a screening service can say of an order, from the least risk to the most; `unknown` is that it could not tell, and stands in no order with the others. */
export const SCREENING_LEVELS = ['low', 'medium', 'high', 'severe', 'unknown'] as const
export type ScreeningLevel = (typeof SCREENING_LEVELS)[number]
