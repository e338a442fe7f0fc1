import { Denied } from '@omi/website';
import { routes } from '../../omi.ts';
import { session } from '../../../website-bank.ts';

export async function POST(request: Request): Promise<Response> {
  try {
    const { message: done } = await routes.consume(request, session(request));
    return Response.json({ done });
  } catch (error) {
    if (error instanceof Denied) return error.response();
    throw error;
  }
}
