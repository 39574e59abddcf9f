import NextAuth from "next-auth";
import { lightningProvider } from "../pubkey/[...pubkey]";

export default NextAuth({ providers: [lightningProvider] });
