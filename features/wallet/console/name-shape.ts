/** How long the name of a wallet or a sub-wallet can be. What is longer is refused at the field: a name that was cut would be another one. */
export const NAME_SHAPE = { length: { max: 50 } } as const
