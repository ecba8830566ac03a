/** The sub-status of a credited deposit whose block is gone and whose money has been spent since. It is reversed as soon as there is enough again. */
export const REVERSAL_DUE = 'reversal_due'
