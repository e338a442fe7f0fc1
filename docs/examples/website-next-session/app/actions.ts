'use server';
import { Denied } from '@omi/website';
import { redirect } from 'next/navigation';
import { routes, session } from '../omi.ts';

async function payOnce(form: FormData): Promise<string> {
  try {
    return (await routes.consume(form, await session())).message;
  } catch (error) {
    if (error instanceof Denied) return error.code;
    throw error;
  }
}

export async function pay(form: FormData): Promise<void> {
  redirect(`/?result=${encodeURIComponent(await payOnce(form))}`);
}
