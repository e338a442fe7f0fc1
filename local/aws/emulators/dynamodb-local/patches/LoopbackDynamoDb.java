import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import java.io.File;
import java.io.OutputStream;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/**
 * DynamoDB Local on loopback only, at a port that the kernel chooses and this program prints. It exits when standard
 * input ends, so that a killed parent leaves no orphan. DynamoDB Local itself binds every interface and has no option
 * for it, hence the reflection. This program removes its folder for temporary files, where SQLite leaves a library.
 *
 * Remove when DynamoDB Local has an option for its address, refuses a foreign Host and Origin, and exits with its parent.
 */
class LoopbackDynamoDb {
  public static void main(String[] arguments) throws Exception {
    var proxy = ServerRunner.createServerFromCommandLineArgs(arguments);
    var field = proxy.getClass().getDeclaredField("server");
    field.setAccessible(true);
    var server = (Server) field.get(proxy);
    var connector = (ServerConnector) server.getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    server.setHandler(new Guard(server.getHandler()));
    proxy.start();
    System.out.println("listening " + connector.getLocalPort());
    System.in.transferTo(OutputStream.nullOutputStream());
    // Data are on the disk before each response, so an immediate exit loses nothing.
    try {
      removeTemporaryFiles();
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  /** Refuses requests of web pages, as the other servers of the stack do. */
  private static class Guard extends Handler.Wrapper {
    private static final Pattern OWN = Pattern.compile("(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?");

    Guard(Handler handler) {
      super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      var headers = request.getHeaders();
      var host = headers.get(HttpHeader.HOST);
      if (host != null && OWN.matcher(host).matches() && headers.get(HttpHeader.ORIGIN) == null)
        return super.handle(request, response, callback);
      Response.writeError(request, response, callback, 403);
      return true;
    }
  }

  private static void removeTemporaryFiles() {
    var folder = new File(System.getProperty("java.io.tmpdir"));
    for (var file : folder.listFiles()) file.delete();
    folder.delete();
  }
}
