export { VirtualWallet } from "./virtual-wallet.ts";
