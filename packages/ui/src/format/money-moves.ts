import { createContext, useContext } from 'react'

/**
 * Whether money moves here: where somebody asks for a payment, decides on one, or copies where to pay to. Nothing is shortened in
 * such a place, whatever a part of it asks for: no rounded amount and no address by its ends. Every page of the side drawer is one.
 */
export const MoneyMovesContext = createContext(false)

export function useMoneyMoves(): boolean {
  return useContext(MoneyMovesContext)
}
