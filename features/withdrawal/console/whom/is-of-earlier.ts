/** Whether an answer is to an earlier question than the present one. The last answer also stays where nothing is asked, and then no other comes. */
export const isOfEarlier = (isAsked: boolean, { isPlaceholderData }: { isPlaceholderData: boolean }): boolean => isAsked && isPlaceholderData
